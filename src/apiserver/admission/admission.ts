// Admission: the last word on a request before something is stored. Plugins in a fixed order, one thing each; the first that refuses
// ends the request.

import type { Maybe } from '#base'
import type { Draft } from '../draft.ts'
import type { ServedKind } from '../registry/resource.ts'
import type { UserInfo } from '../users.ts'

export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly kind: ServedKind
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly user: UserInfo
  readonly dryRun: boolean
  readonly options: Readonly<Record<string, unknown>>
  readonly object: Draft | undefined
  readonly oldObject: Readonly<Draft> | undefined
  readonly warnings: string[]
}

/** As the verbs see it: two phases around validation. */
export interface Admission {
  /** May change the object; returns the one to go on with. */
  mutate(attributes: AdmissionAttributes): Maybe<Draft | undefined>
  validate(attributes: AdmissionAttributes): Maybe<void>
}
