import type { Command as Program } from "commander";

/** Shells for which a completion script exists. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A verb, with its path in the program. */
interface Place {
  /** The names of the verb and its sub-verbs: `metrics report`; "" for the program itself. */
  readonly path: string;
  readonly verb: Program;
}

/**
 * Returns a script that completes the verbs and options of a program, for `eval "$(affected completion bash)"`.
 * @param program with all its verbs declared
 */
export function completionScript(program: Program, shell: Shell): string {
  const places = placesBelow(program, "");
  switch (shell) {
    case "bash":
      return bash(program.name(), places);
    case "zsh":
      return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(program.name(), places)}`;
    case "fish":
      return fish(program.name(), places);
  }
}

function placesBelow(verb: Program, path: string): readonly Place[] {
  return [
    { path, verb },
    ...verb.commands.flatMap((each) =>
      placesBelow(each, `${path} ${each.name()}`.trim()),
    ),
  ];
}

/**
 * Returns the words that can follow at a place: verbs, options, and the values of options and arguments that have
 * choices.
 */
function wordsAt({ verb }: Place): readonly string[] {
  return [
    ...verb.commands.map((each) => each.name()),
    ...verb.options.flatMap(({ long, argChoices }) => [
      ...(long == null ? [] : [long]),
      ...(argChoices ?? []),
    ]),
    ...verb.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    "--help",
  ];
}

function bash(name: string, places: readonly Place[]): string {
  const own = `_${name.replaceAll("-", "_")}`;
  const cases = places.map(
    (place) =>
      `    ${quoted(place.path)}) echo ${quoted(wordsAt(place).join(" "))} ;;`,
  );
  const deeper = places
    .filter(({ path }) => path !== "")
    .map(({ path }) => quoted(path))
    .join("|");
  return `${own}_words() {
  case "$1" in
${cases.join("\n")}
  esac
}
${own}() {
  local at= next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in (${deeper}) at=$next ;; esac
  done
  COMPREPLY=($(compgen -W "$(${own}_words "$at")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${own} ${name}
`;
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, verb }) => {
    const asked = path.split(" ").filter(Boolean);
    const seen =
      asked.length === 0
        ? "__fish_use_subcommand"
        : asked
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join("; and ");
    const line = (rest: string, description: string) =>
      `complete -c ${name} -n ${quoted(seen)} ${rest} -d ${quoted(description)}`;
    return [
      ...verb.commands.map((each) =>
        line(`-f -a ${each.name()}`, each.description()),
      ),
      ...verb.registeredArguments.flatMap(({ argChoices, description }) =>
        argChoices
          ? [line(`-f -a ${quoted(argChoices.join(" "))}`, description)]
          : [],
      ),
      ...verb.options.flatMap((option) =>
        option.long == null
          ? []
          : [
              line(
                [
                  `-l ${option.long.slice(2)}`,
                  ...(option.argChoices
                    ? [`-x -a ${quoted(option.argChoices.join(" "))}`]
                    : option.required
                      ? ["-r"]
                      : []),
                ].join(" "),
                option.description,
              ),
            ],
      ),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
