// The shape of every admission plugin. A plugin refuses by throwing (`refusals.ts`), says what it has to say in `attributes.warnings`,
// and keeps nothing between two requests.
import type { Random } from '#base'
import type { Authorizer } from '../auth/authorizer.ts'
import type { Draft } from '../draft.ts'
import type { Registry } from '../registry/registry.ts'
import type { StorePort } from '../store/store.ts'
import type { AdmissionAttributes } from './admission.ts'

export interface AdmissionPlugin {
  readonly name: string
  /**
   * The object to go on with; the given one is not changed. Runs before validation and, when a webhook changed the object, once more:
   * doing it twice must do no more than doing it once. Deletions have no object.
   */
  mutate?(attributes: AdmissionAttributes): Draft | undefined
  /** Looks at the object as it would be stored. */
  validate?(attributes: AdmissionAttributes): void
}

export interface PluginPorts extends StorePort {
  readonly random: Random
  readonly authorizer: Authorizer
  readonly registry: Pick<Registry, 'resources'>
}

export type MakePlugin = (ports: PluginPorts) => AdmissionPlugin
