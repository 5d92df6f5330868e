import type { TraceEvent } from "./event.js";
import type { PathResolver } from "./resolve-path.js";

/**
 * The state of the file system and the network that a script depended on. Each path is absolute, without symlinks, and
 * was accessed before the script made it itself.
 */
export interface Observations {
  /** Files whose content it opened. */
  readonly read: ReadonlySet<string>;
  /** Programs and scripts that it executed. */
  readonly executed: ReadonlySet<string>;
  /** Symlinks that a path led through, or whose target it read. */
  readonly links: ReadonlySet<string>;
  /**
   * Those of the links that led to a file that it read, executed or changed: the path led through them, or the file is
   * at or below their target. The others were only looked up.
   */
  readonly followed: ReadonlySet<string>;
  /** Names that didn't exist. */
  readonly missing: ReadonlySet<string>;
  /** Names that existed. These accesses read nothing of their content. */
  readonly found: ReadonlySet<string>;
  /**
   * Those of the names it found that are folders, and that it would have made otherwise. It first asked for them by
   * `mkdir`, so it continues in the same way whether or not they exist.
   */
  readonly ensured: ReadonlySet<string>;
  /** Folders whose names it read. */
  readonly listed: ReadonlySet<string>;
  /** Paths that it wrote, made, moved or removed. */
  readonly changed: ReadonlySet<string>;
  /** Addresses outside this machine. */
  readonly network: ReadonlySet<string>;
  /** Sockets and ports of processes that it did not start. */
  readonly sockets: ReadonlySet<string>;
}

/**
 * Collects the observations from events. Files that a script made are its own outputs: reading, listing or missing them
 * doesn't depend on the state in which it started.
 */
export class Observer {
  private readonly resolver: PathResolver;
  private readonly read = new Set<string>();
  private readonly executed = new Set<string>();
  private readonly links = new Set<string>();
  /** Links that a path of a file led through that it read, executed or wrote. */
  private readonly through = new Set<string>();
  private readonly missing = new Set<string>();
  private readonly found = new Set<string>();
  private readonly ensured = new Set<string>();
  private readonly listed = new Set<string>();
  private readonly changed = new Set<string>();
  private readonly network = new Set<string>();
  private readonly sockets = new Set<string>();
  /** Ports of this machine that it took. */
  private readonly ports = new Set<string>();
  /** Files and whole folders that the script made, or emptied, before it read them. */
  private readonly products = new Set<string>();

  constructor(resolver: PathResolver) {
    this.resolver = resolver;
  }

  /** Processes the next event. */
  take(event: TraceEvent): void {
    switch (event.kind) {
      case "read":
        this.use(this.read, event.path, event.real);
        return;
      case "execute":
        this.use(this.executed, event.path);
        return;
      case "found":
        this.need(this.found, event.path);
        return;
      case "exists": {
        const { path } = this.resolver.resolve(event.path);
        if (!this.found.has(path)) this.ensured.add(path);
        this.need(this.found, event.path);
        return;
      }
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
        // A file that didn't exist or is emptied is the script's own output from now on.
        if (event.emptied || this.missing.has(path)) this.products.add(path);
        return;
      }
      case "make": {
        const { path } = this.resolver.resolve(event.path, false);
        // The name didn't exist before; otherwise, the call would have failed.
        if (!this.isProduct(path)) this.missing.add(path);
        this.changed.add(path);
        this.products.add(path);
        if (event.target !== undefined) this.resolver.add(path, event.target);
        return;
      }
      case "remove": {
        const { path } = this.resolver.resolve(event.path, false);
        if (!this.isProduct(path)) this.found.add(path);
        this.changed.add(path);
        // If the name is looked up later, it is missing because the script itself removed it.
        this.products.add(path);
        this.resolver.remove(path);
        return;
      }
      case "move":
        this.move(event.from, event.to);
        return;
      case "bind":
        this.ports.add(event.port);
        return;
      case "connect":
        if (event.to === "network") this.network.add(event.address);
        else if (event.to === "port") {
          if (!this.ports.has(event.address))
            this.sockets.add(`port ${event.address}`);
        } else if (!this.isProduct(event.address))
          this.sockets.add(event.address);
    }
  }

  /** Returns the observations so far. */
  observations(): Observations {
    const { read, executed, links, missing, found, listed } = this;
    const { changed, network, sockets } = this;
    return {
      ...{ read, executed, links, missing, found, listed },
      ...{ followed: this.followed(), ensured: this.ensured },
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

  private use(where: Set<string>, path: string, real?: string): void {
    this.need(where, path, real);
    for (const link of this.resolver.resolve(path).links)
      this.through.add(link);
  }

  /** A program that resolves a link itself, as Node does for modules, opens only the file that the link leads to. */
  private followed(): Set<string> {
    const used = new Set<string>();
    for (const paths of [this.read, this.executed, this.changed])
      for (const path of paths)
        for (
          let at = path;
          at !== "" && !used.has(at);
          at = at.slice(0, at.lastIndexOf("/"))
        )
          used.add(at);
    return new Set(
      [...this.links].filter(
        (link) =>
          this.through.has(link) || used.has(this.resolver.resolve(link).path),
      ),
    );
  }

  private target(path: string, real: string | undefined): string {
    const resolved = this.resolver.resolve(path);
    this.needLinks(resolved.links);
    for (const link of resolved.links) this.through.add(link);
    return real ?? resolved.path;
  }

  private move(from: string, to: string): void {
    const old = this.resolver.resolve(from, false).path;
    const next = this.resolver.resolve(to, false).path;
    // A moved file keeps its content, so reading it under the new name means reading the old one.
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
