import type { PullRef } from "@skein/delivery-metrics";
import { html, type Content, type Html } from "./html.js";

/** Functions that link to pull requests and runs. */
export interface Links {
  readonly pull: (ref: PullRef) => Html;
  readonly run: (
    ref: { readonly repository: string; readonly run: number },
    text: string,
  ) => Html;
}

/**
 * Creates links to a GitHub server. If its address isn't https, the functions return only the text.
 * @param server `https://github.com`
 * @param several whether the report contains several repositories, so that a number doesn't identify a pull request
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
