// Which values of a flag a chart can follow: those that its templates read as the process reads them. One pattern for each flag, in the
// part of the language of patterns that Go and JavaScript share.
import { assertNever } from '#base'
import type { ShapingFlag } from '#runtime'

const name = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
const object = `${name}/(\\*|[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)`

const list = (one: string): string => ` *(${one}) *(, *(${one}) *)*`

/** As a pattern; `undefined` for a flag that a chart leaves at its default, because every other value is refused by name (print.ts). */
export function shapingPattern(flag: ShapingFlag): string | undefined {
  switch (flag.kind) {
    case 'choice':
      return `^(${flag.values.join('|')})$`
    case 'list':
      return `^${list(flag.items.join('|'))}$`
    case 'namespaces':
      return `^(${flag.everywhere === '*' ? '\\*' : ''}|${list(name)})$`
    case 'objects':
      return `^(\\*|${list(object)})?$`
    case 'any':
      return undefined
    default:
      return assertNever(flag)
  }
}

/** What such a flag takes, for people. */
export function shapingWords(flag: ShapingFlag): string {
  switch (flag.kind) {
    case 'choice':
      return flag.values.join(' or ')
    case 'list':
      return `any of ${flag.items.join(', ')}, separated by commas`
    case 'namespaces':
      return `names of namespaces, each once, separated by commas${flag.everywhere === '*' ? ', or * for all' : ''}`
    case 'objects':
      return 'namespace/name or namespace/*, separated by commas, or * for all'
    case 'any':
      return 'what vouch operator --help says'
    default:
      return assertNever(flag)
  }
}
