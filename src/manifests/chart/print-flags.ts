// What a chart knows of flags, as named templates: which there are and of which type, which of them its values decide, whose they are, and
// which values a template can follow. The templates that refuse by these tables stand in deploy/templates/process/_flags.tpl.
import type { Flag } from '#base'
import type { Operator, RequiredFlag } from '#runtime'
import type { Reasons } from '../decided-flags.ts'
import { shapingPattern, shapingWords } from './shaping-values.ts'

export interface FlagTables {
  readonly known: readonly Flag[]
  /** What a refusal says of a flag that values decide. */
  readonly decided: Reasons
  /** The same, for what stands after all other arguments. */
  readonly lastArguments: Reasons
}

/** The text of `templates/_known-flags.tpl`. Names of templates are those of a chart and its charts alike, so each has a word of its own. */
export function printFlagTables(chart: string, { known, decided, lastArguments }: FlagTables): string {
  return [
    '{{/* The flags of the program. Made by `npm run charts`; never edited. */}}\n',
    defineJson(`${chart}.flagTypes`, Object.fromEntries(known.map(({ name, type }) => [name, type]))),
    defineJson(`${chart}.decidedFlags`, decided),
    defineJson(`${chart}.lastArgumentReasons`, lastArguments),
  ].join('\n')
}

/** Prints the flags of an operator. Two operators share a value of the chart only where they share the flag itself. */
export function printOwnFlags(operator: Operator, all: readonly Operator[]): string {
  const flagsOf = ({ flags }: Operator): readonly Flag[] => flags.flatMap(group => group.flags)
  const firstWith = (flag: Flag): string => all.find(each => flagsOf(each).includes(flag))?.name ?? operator.name
  const own = Object.fromEntries(flagsOf(operator).map(flag => [flag.name, firstWith(flag)]))
  return defineJson(`vouch.${operator.name}.ownFlags`, own)
}

/** Fails for a flag that is missing, and for a value that the templates would read otherwise than the process. */
export function printFlagChecks(operator: Operator, otherwise: (flag: string) => string): string {
  const { name, shaping = [], required = [] } = operator
  const shapes = shaping.flatMap(flag => {
    const pattern = shapingPattern(flag)
    if (pattern === undefined) return []
    const said = `(include "vouch.flag" (list .root "${name}" "${flag.flag}" "${otherwise(flag.flag)}"))`
    const words = `(splitList "," (nospace ${said}))`
    const isTwice = flag.kind === 'namespaces' ? ` (ne (len ${words}) (len (uniq ${words})))` : ''
    const what = `${name}: in a chart --${flag.flag} takes ${shapingWords(flag)}, not %q`
    return [
      `{{- if or (not (regexMatch ${JSON.stringify(pattern)} ${said}))${isTwice} }}{{ fail (printf ${JSON.stringify(what)} ${said}) }}{{ end -}}`,
    ]
  })
  const lines = [...required.map(flag => requiredCheck(name, flag)), ...shapes]
  return `{{- define "vouch.${name}.checkFlags" -}}\n${lines.join('\n')}\n{{- end -}}\n`
}

/** Fails where neither the flags nor the last arguments say it. */
function requiredCheck(operator: string, { flag, missing, orFile }: RequiredFlag): string {
  const said = `(include "vouch.flag" (list .root "${operator}" "${flag}" ""))`
  const last = `(regexMatch "(?m)^--?${flag}(=|$)" (join "\\n" .root.Values.operator.extraArgs))`
  const file =
    orFile === undefined
      ? ''
      : ` (ne (trim (include "vouch.file" (list .root "${orFile.flag}"))) ${JSON.stringify(orFile.empty)})`
  return `{{- if not (or ${said} ${last}${file}) }}{{ fail ${JSON.stringify(missing)} }}{{ end -}}`
}

function defineJson(name: string, value: object): string {
  return `{{- define "${name}" -}}${JSON.stringify(value)}{{- end -}}\n`
}
