// What an account has of one kind, by the kind's own list: one call for many resources. Kept for a while, and only as prints of what the
// list says of each, so that ten thousand take a megabyte. A roll tells whether a resource shows as it did; what a list leaves out it
// cannot tell.
import { createHash } from 'node:crypto'
import type { Caller, DeviatingKind } from '../kinds/deviation.ts'
import { inputOf, type KindModel } from '../model/kind-model.ts'
import { nameKey, propertyNamed } from '../model/names.ts'
import { type Content, requestOf, type Values } from '../model/request.ts'
import type { Place } from '../place/select-place.ts'
import { elementsOf, listOperation } from './listed.ts'

export interface RollCall extends DeviatingKind {
  readonly wanted: Content
  readonly place: Place
  readonly caller: Caller
  readonly nowMs: number
  /** An older roll is not believed. */
  readonly ageMsMax: number
  /** More pages would cost more than looking at each claim. */
  readonly pagesMax: number
}

/** By identifier: what a list says of what it stands for. */
type Roll = ReadonlyMap<string, string>

interface Kept {
  readonly takenMs: number
  /** `undefined`: the list was refused, or too long. */
  readonly roll: Roll | undefined
}

/** Accounts and regions, and what lists are asked by, such as a cluster; what falls out is asked for again. */
const rollsMax = 1_000

export class Rolls {
  readonly #kept = new Map<string, Kept>()

  /** A print of what the list says of the resource; `absent` when it names none, `unknown` when there is no list to go by. */
  async print(call: RollCall): Promise<string> {
    const asked = questionOf(call)
    if (asked === undefined) return 'unknown'
    const { caller, model, wanted } = call
    const roll = await caller.together<string, Roll | undefined>(`roll ${asked.id}`, asked.id, async (questions, shared) => {
      const found = await this.#taken({ ...call, caller: shared }, asked)
      return questions.map(() => ({ ok: true, value: found }))
    })
    if (roll === undefined) return 'unknown'
    const known = [...(wanted.arn === undefined ? [] : [wanted.arn]), ...namesOf(model, { ...wanted.status, ...wanted.spec })]
    return known.map(each => roll.get(each)).find(each => each !== undefined) ?? 'absent'
  }

  async #taken(call: RollCall, asked: Question): Promise<Roll | undefined> {
    const { account, region, role, endpoint } = call.place
    const key = JSON.stringify([account, region, role, endpoint, asked.id])
    const held = this.#kept.get(key)
    if (held !== undefined && call.nowMs - held.takenMs <= call.ageMsMax) return held.roll
    const kept = { takenMs: call.nowMs, roll: await take(call, asked) }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > rollsMax && oldest !== undefined) this.#kept.delete(oldest)
    return kept.roll
  }
}

interface Question {
  readonly id: string
  readonly operation: string
  readonly input: Values
}

/** Only what the list cannot do without: the same question for as many claims as can be. */
function questionOf({ model, deviation, wanted }: RollCall): Question | undefined {
  const { exported } = deviation
  const operation = listOperation({ model, deviation })
  if (operation === undefined) return undefined
  const all = requestOf(model, operation, wanted, { method: 'ReadMany' })
  const { required } = inputOf(model.service.model, operation)
  const input = { ...exported?.input, ...Object.fromEntries(required.map(name => [name, all[name]])) }
  if (Object.values(input).includes(undefined)) return undefined
  return { id: JSON.stringify([operation, input]), operation, input }
}

/** A list that is refused is no trouble of anybody: the next full look tells what is wrong, if anything is. */
async function take({ model, caller, pagesMax }: RollCall, { operation, input }: Question): Promise<Roll | undefined> {
  const roll = new Map<string, string>()
  let pages = 0
  try {
    for await (const page of caller.pages(operation, input)) {
      pages += 1
      if (pages > pagesMax) return undefined
      for (const element of elementsOf(model, operation, page)) {
        const print = printOf(element)
        for (const name of new Set(namesOf(model, element))) roll.set(name, `${roll.get(name) ?? ''}${print}`)
      }
    }
  } catch {
    return undefined
  }
  return roll
}

function printOf(element: Values): string {
  return createHash('sha256').update(JSON.stringify(element)).digest('base64url').slice(0, 12)
}

/** Everything by which lists and manifests call a resource. */
function namesOf({ kind }: KindModel, values: Values): readonly string[] {
  const { resource, arnMember = 'Arn' } = kind
  const names = ['Arn', arnMember, `${resource}Arn`, 'Id', 'Name', `${resource}Id`, `${resource}Name`, `${resource}Identifier`]
  const found = new Set(names.map(nameKey)).values().map(name => propertyNamed(values, name)?.value)
  return found.filter(value => typeof value === 'string' && value !== '').toArray() as readonly string[]
}
