import { readPackument } from "@skein/delivery-metrics";
import { RegistryError } from "./registry.js";
import { Stopped, type Session } from "./session.js";

/**
 * Reads the times at which packages were published to npm. If a registry fails for one package, the others are still
 * read.
 * @throws {Stopped} at the end, if a registry failed
 */
export async function syncNpm(session: Session): Promise<void> {
  const { rules, registry, since, signal } = session;
  let failed = false;
  for (const rule of rules.publish) {
    if (rule.from !== "npm") continue;
    if (signal.aborted) throw new Stopped("interrupted");
    const key = `${rule.registry}/${rule.package}`;
    const known = session.state.npm[key];
    // An earlier request may not have covered so long a time.
    const etag = known && known.since <= since ? known.etag : undefined;
    const { host } = new URL(rule.registry);
    try {
      const answer = await registry.read(rule.registry, rule.package, etag);
      if (answer.kind === "unchanged") continue;
      if (answer.kind === "missing") {
        session.note(`${host} has no package ${rule.package}`);
        continue;
      }
      const events = readPackument(
        session.name,
        rule.package,
        answer.body,
        since,
      );
      if (!events)
        throw new RegistryError(
          "does not provide the dates of its publications",
        );
      session.ledger.keep(events);
      const { etag: newest } = answer;
      await session.save(
        newest === undefined
          ? {}
          : { npm: { ...session.state.npm, [key]: { etag: newest, since } } },
      );
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      session.note(`${rule.package}: ${host} ${error.message}`);
      failed = true;
    }
  }
  if (failed) throw new Stopped("registry");
}
