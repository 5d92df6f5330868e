import type { PullRef } from "@skein/delivery-metrics";
import { html } from "./html.js";
import type { Content, Html } from "./html.js";

/** Where pull requests and runs are shown. */
export interface Links {
  readonly pull: (ref: PullRef) => Html;
  readonly run: (
    ref: { readonly repository: string; readonly run: number },
    text: string,
  ) => Html;
}

/**
 * Links to a GitHub server. Nothing that is not https becomes a link: its text stands there alone.
 * @param server `https://github.com`
 * @param several repositories are in the report, so that a number alone names no pull request
 */
export function openLinks(server: string, several: boolean): Links {
  const base = httpsBase(server);
  const link = (repository: string, path: string, text: Content) =>
    base === undefined
      ? html`${text}`
      : html`<a
          href="${base}/${repository.split("/").map(encodeURIComponent).join("/")}/${path}"
          >${text}</a
        >`;
  return {
    pull: ({ repository, pull }) =>
      link(
        repository,
        `pull/${pull}`,
        several ? html`${repository}<wbr />#${pull}` : `#${pull}`,
      ),
    run: ({ repository, run }, text) =>
      link(repository, `actions/runs/${run}`, text),
  };
}

function httpsBase(server: string): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, host, pathname } = new URL(server);
  return protocol === "https:"
    ? `https://${host}${pathname.replace(/\/+$/, "")}`
    : undefined;
}
