// A caller of AWS that answers by a table, for the code of single kinds.

import type { Caller } from '../kinds/deviation.ts'
import type { Values } from '../model/request.ts'

/** An answer, a refusal, or what makes one of what was asked; of an operation that has pages, an array is its pages. */
export type Answer = Values | Error | readonly Values[] | ((input: Values) => Values | readonly Values[])

interface Answering {
  readonly caller: Caller
  /** Operations with their inputs, in order. */
  readonly asked: readonly (readonly [operation: string, input: Values])[]
}

export function answering(answers: Readonly<Record<string, Answer>>): Answering {
  const asked: [string, Values][] = []
  const pagesOf = (operation: string, input: Values): readonly Values[] => {
    asked.push([operation, input])
    const answer = answers[operation]
    if (answer === undefined) throw new Error(`nobody answers ${operation}`)
    if (answer instanceof Error) throw answer
    const made = typeof answer === 'function' ? answer(input) : answer
    return Array.isArray(made) ? (made as readonly Values[]) : [made as Values]
  }
  const call = (operation: string, input: Values): Promise<Values> =>
    Promise.resolve().then(() => pagesOf(operation, input)[0] ?? {})
  const caller: Caller = {
    call,
    once: call,
    of: () => ({ call }),
    list: async (operation, input, member) => {
      await Promise.resolve()
      return pagesOf(operation, input).flatMap(page => (page[member] as readonly unknown[] | undefined) ?? [])
    },
    pages: async function* (operation, input) {
      await Promise.resolve()
      yield* pagesOf(operation, input)
    },
    together: async (_topic, question, answer) => {
      const [settled] = await answer([question], caller)
      if (settled === undefined) throw new Error('no answer')
      if (!settled.ok) throw settled.error
      return settled.value
    },
  }
  return { caller, asked }
}
