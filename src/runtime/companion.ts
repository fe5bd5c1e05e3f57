// What works beside the controllers for as long as this process leads: a source of hints that is no watch, such as a message queue. A hint
// is never needed (P1): whoever loses one finds the same at the next look.
import type { Clock, Log } from '#base'
import type { ObjectKey } from '#kube'
import type { PassRecord } from './controller/pass.ts'
import type { Reads } from './informer/reads.ts'
import type { Lane } from './queue/lane.ts'

export interface CompanionContext {
  readonly world: Reads
  readonly clock: Clock
  readonly log: Log
  /** A claim of that controller is worth a look. False when there is no such controller. */
  add(controller: string, key: ObjectKey, lane?: Lane): boolean
}

export interface Companion {
  readonly name: string
  /** Works until the signal aborts, and may be called again: a new term of leadership. Whatever goes wrong outside is its own to bear. */
  run(context: CompanionContext, signal: AbortSignal): Promise<void>
  /** After each pass of any controller. */
  onPass?(record: PassRecord): void
}

/** What companions see of a controller. */
interface Adding {
  readonly definition: { readonly name: string }
  add(key: ObjectKey, lane?: Lane): void
}

export async function runCompanions(
  companions: readonly Companion[],
  { controllers, ...rest }: Omit<CompanionContext, 'add'> & { readonly controllers: readonly Adding[] },
  signal: AbortSignal,
): Promise<void> {
  const byName = new Map(controllers.map(controller => [controller.definition.name, controller]))
  const add: CompanionContext['add'] = (name, key, lane = 'fresh') => {
    const controller = byName.get(name)
    controller?.add(key, lane)
    return controller !== undefined
  }
  await Promise.all(companions.map(companion => companion.run({ ...rest, add }, signal)))
}
