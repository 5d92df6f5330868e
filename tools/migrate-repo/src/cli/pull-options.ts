/** The arguments of commander's `option` for open pull requests. */
export const PRS = [
  "--prs",
  "list the open pull requests of the source, on GitHub",
  false,
] as const;
export const TRANSPLANT = [
  "--transplant",
  "recreate their branches on the grafted history, as <folder>/pull/<number>; implies --prs",
  false,
] as const;
export const GITHUB = [
  "--github <owner/name>",
  "the source's repository on GitHub (default: from its address)",
] as const;
