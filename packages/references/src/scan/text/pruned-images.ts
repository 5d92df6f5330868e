/** A stage of an image: `FROM node as scoper`, up to the next one. */
interface Stage {
  readonly name: string | undefined;
  readonly start: number;
  readonly text: string;
}

const FROM = /^[ \t]*FROM[ \t]+.*$/gim;
const NAME = /\bas[ \t]+([\w.-]+)[ \t]*$/i;

/** A command that writes the files of one package, and of those that it declares, to a folder `out`. */
const PRUNES =
  /^(?:(?:npx|pnpx|bunx|yarn|pnpm)\s+(?:dlx\s+|exec\s+|-y\s+|--yes\s+)*)?turbo(?:@[\w.-]+)?\s+prune\s(?!.*--out-dir)[\w@/=. -]+$/;
/** Commands that install programs, or read nothing of the project. */
const HARMLESS =
  /^(?:(?:apk|apt|apt-get|corepack|rm|mkdir|echo|set|true)\b|(?:npm|pnpm|yarn)\s+(?:global\s+add\s|(?:install|i|add)\s(?=(?:.*\s)?(?:--global|-g)(?:\s|$))))[^$`]*$/;
/** The version of a program, as the project's manifest has it. */
const VERSION = /\$\(\s*jq\s[^()$`]*\)/g;

/**
 * Returns whether a Dockerfile copies its context only for `turbo prune`, and later stages get nothing of it except the result.
 * Source: https://turborepo.com/docs/guides/tools/docker
 * @param at the place of the copy
 */
export function isPruned(text: string, at: number): boolean {
  const plain = text.replace(/\\\r?\n/g, (end) => " ".repeat(end.length));
  const stages = stagesOf(plain);
  const own = stages.findLast(({ start }) => start <= at);
  if (own?.name === undefined || own === stages.at(-1)) return false;
  const name = own.name.replace(/[.-]/g, String.raw`\$&`);
  const isBase = new RegExp(String.raw`^[ \t]*FROM[ \t]+${name}\b`, "im");
  const uses = plain.match(new RegExp(String.raw`from=${name}\b`, "gi")) ?? [];
  const copies = [
    ...plain.matchAll(
      new RegExp(
        String.raw`^[ \t]*COPY[ \t]+(?:--\S+[ \t]+)*--from=${name}[ \t]+(?:--\S+[ \t]+)*(.*)[ \t]\S+[ \t]*$`,
        "gim",
      ),
    ),
  ];
  return (
    prunes(own.text) &&
    !isBase.test(plain) &&
    copies.length === uses.length &&
    copies.every(([, sources = ""]) =>
      sources.split(/\s+/).every((source) => IN_RESULT.test(source)),
    )
  );
}

/** A path in the folder that the command writes. */
const IN_RESULT = /^\/?(?:[\w-]+\/)*out(?:\/[\w./-]*)?$/;

function stagesOf(text: string): readonly Stage[] {
  const heads = [...text.matchAll(FROM)];
  return heads.map(({ 0: head, index }, at) => ({
    name: NAME.exec(head)?.[1],
    start: index,
    text: text.slice(index + head.length, heads[at + 1]?.index),
  }));
}

/** Returns whether the commands of a stage read nothing of the project except by pruning it. */
function prunes(stage: string): boolean {
  const commands = stage.split("\n").flatMap((line) => {
    const [, instruction = "", words = ""] =
      /^\s*([A-Za-z]+)\s+(.*)$/.exec(line) ?? [];
    if (/^RUN$/i.test(instruction))
      return words
        .replace(VERSION, "")
        .split(/&&|[;|]/)
        .map((command) => command.trim());
    return /^(?:|WORKDIR|COPY|ADD|ARG|ENV|LABEL)$/i.test(instruction)
      ? []
      : [instruction];
  });
  return (
    commands.some((command) => PRUNES.test(command)) &&
    commands.every((command) => PRUNES.test(command) || HARMLESS.test(command))
  );
}
