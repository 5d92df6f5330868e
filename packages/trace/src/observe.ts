import type { TraceEvent } from "./event.js";
import type { PathResolver } from "./resolve-path.js";

/** What a script needed of the world: each path absolute, without symlinks, and asked before the script made it itself. */
export interface Observations {
  /** Files whose content it opened. */
  readonly read: ReadonlySet<string>;
  /** Programs and scripts that it executed. */
  readonly executed: ReadonlySet<string>;
  /** Symlinks that a path led through, or whose target it read. */
  readonly links: ReadonlySet<string>;
  /** Names that nothing had. */
  readonly missing: ReadonlySet<string>;
  /** Names that something had; of its content nothing was read by this. */
  readonly found: ReadonlySet<string>;
  /** Folders whose names it read. */
  readonly listed: ReadonlySet<string>;
  /** What it wrote, made, moved or removed. */
  readonly changed: ReadonlySet<string>;
  /** Addresses outside this machine. */
  readonly network: ReadonlySet<string>;
  /** Sockets of processes that it did not start. */
  readonly sockets: ReadonlySet<string>;
}

/**
 * Gathers what events need. What a script made itself is its product: to read, to list or to miss it tells nothing of the
 * world it was started in.
 */
export class Observer {
  private readonly resolver: PathResolver;
  private readonly read = new Set<string>();
  private readonly executed = new Set<string>();
  private readonly links = new Set<string>();
  private readonly missing = new Set<string>();
  private readonly found = new Set<string>();
  private readonly listed = new Set<string>();
  private readonly changed = new Set<string>();
  private readonly network = new Set<string>();
  private readonly sockets = new Set<string>();
  /** Files and whole folders that the script made, or emptied, before it read them. */
  private readonly products = new Set<string>();

  constructor(resolver: PathResolver) {
    this.resolver = resolver;
  }

  /** Takes the next event. */
  take(event: TraceEvent): void {
    switch (event.kind) {
      case "read":
        this.need(this.read, event.path, event.real);
        return;
      case "execute":
        this.need(this.executed, event.path);
        return;
      case "found":
        this.need(this.found, event.path);
        return;
      case "missing":
        this.need(this.missing, event.path);
        return;
      case "list":
        this.need(this.listed, event.path);
        return;
      case "link": {
        const { path, links } = this.resolver.resolve(event.path, false);
        this.needLinks(links);
        if (!this.isProduct(path)) this.links.add(path);
        return;
      }
      case "write": {
        const path = this.target(event.path, event.real);
        this.changed.add(path);
        // What was not there, or is emptied, is the script's own from now on.
        if (event.emptied || this.missing.has(path)) this.products.add(path);
        return;
      }
      case "make": {
        const { path } = this.resolver.resolve(event.path, false);
        // It would have failed, had something been there.
        if (!this.isProduct(path)) this.missing.add(path);
        this.changed.add(path);
        this.products.add(path);
        return;
      }
      case "remove": {
        const { path } = this.resolver.resolve(event.path, false);
        if (!this.isProduct(path)) this.found.add(path);
        this.changed.add(path);
        // Whoever asks for it later misses what the script itself removed.
        this.products.add(path);
        return;
      }
      case "move":
        this.move(event.from, event.to);
        return;
      case "connect":
        if (event.to === "network") this.network.add(event.address);
        else if (!this.isProduct(event.address))
          this.sockets.add(event.address);
    }
  }

  /** @returns what was gathered up to now */
  observations(): Observations {
    const { read, executed, links, missing, found, listed } = this;
    const { changed, network, sockets } = this;
    return {
      ...{ read, executed, links, missing, found, listed },
      ...{ changed, network, sockets },
    };
  }

  private need(where: Set<string>, path: string, real?: string): void {
    const resolved = this.resolver.resolve(path);
    this.needLinks(resolved.links);
    const whole = real ?? resolved.path;
    if (!this.isProduct(whole)) where.add(whole);
  }

  private needLinks(links: readonly string[]): void {
    for (const link of links) if (!this.isProduct(link)) this.links.add(link);
  }

  private target(path: string, real: string | undefined): string {
    const resolved = this.resolver.resolve(path);
    this.needLinks(resolved.links);
    return real ?? resolved.path;
  }

  private move(from: string, to: string): void {
    const old = this.resolver.resolve(from, false).path;
    const next = this.resolver.resolve(to, false).path;
    // A file that is moved keeps its content: whoever reads it under the new name, reads the old one.
    if (!this.isProduct(old)) this.read.add(old);
    for (const product of [...this.products])
      if (product.startsWith(`${old}/`))
        this.products.add(next + product.slice(old.length));
    for (const path of [old, next]) {
      this.changed.add(path);
      this.products.add(path);
    }
  }

  private isProduct(path: string): boolean {
    if (this.products.size === 0) return false;
    for (
      let at = path;
      at.length > 1;
      at = at.slice(0, Math.max(0, at.lastIndexOf("/")))
    )
      if (this.products.has(at)) return true;
    return false;
  }
}
