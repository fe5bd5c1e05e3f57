// What does not fit between a config and a model. A name that the model lacks is a mistake or a matter of versions: configs are kept
// for the newest model, and are used with older ones. A near miss is a mistake. What is like nothing in the model, one name or many, is a
// config for another version of the model, which is reported and does not stop anybody.
import { isNear } from '#base'
import { InferError } from '../infer-error.ts'

/** `refuse`: every name must exist. `allow`: none must. `auto`: as described above. */
export type SkewPolicy = 'auto' | 'allow' | 'refuse'

export interface Missing {
  /** The name that the model lacks. */
  readonly name: string
  readonly candidates: Iterable<string>
  /** With place and nearest name. */
  readonly message: string
  /** Not fatal: the format lets it pass with a warning. */
  readonly fatal: boolean
}

export class Findings {
  readonly warnings: string[] = []
  readonly #missing: (Omit<Missing, 'candidates'> & { readonly near: boolean })[] = []

  warn(warning: string): void {
    this.warnings.push(warning)
  }

  missing({ candidates, ...entry }: Missing): void {
    this.#missing.push({ ...entry, near: isNear(entry.name, candidates) })
  }

  /** Throws the first mistake; otherwise what the config says of another version of the model. */
  judge(policy: SkewPolicy): readonly string[] {
    const fatal = this.#missing.filter(entry => entry.fatal)
    const mistakes = policy === 'allow' ? [] : fatal.filter(({ near }) => near || policy === 'refuse')
    if (mistakes.length > 0) throw new InferError('unknown-name', [...mistakes.map(({ message }) => message), allowed].join('\n'))
    this.warnings.push(...this.#missing.filter(entry => !entry.fatal).map(({ message }) => message))
    return fatal.map(({ message }) => message)
  }
}

/** Whoever has a config for another version of the model need not change it. */
const allowed = 'where the config is meant for another version of the model, --skew allow leaves such names out'
