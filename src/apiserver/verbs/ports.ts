// What the verbs use of the rest of the server. A verb names the least of these that it needs, so its signature says what it can touch.
import type { Clock, Random } from '#base'
import type { Admission } from '../admission/admission.ts'
import type { Converter } from '../conversion/converter.ts'
import type { Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import type { ServedKind } from '../registry/resource.ts'
import type { StorePort } from '../store/store.ts'

/** To find a stored object and to show it at a version. */
export interface ShowPorts extends StorePort {
  readonly converter: Converter
}

export interface ReadPorts extends ShowPorts {
  /** Waits until the store has reached the revision; refuses after a few seconds. Undefined: it has. */
  waitForRevision(revision: number): Promise<void> | undefined
}

/** To read a body that is not text. */
export interface DecodePorts {
  decodeProtobuf(bytes: Uint8Array): Record<string, unknown>
}

/** To change what is stored: admitted, dated, written. */
export interface WritePorts extends ShowPorts {
  readonly admission: Admission
  readonly clock: Clock
}

/** To delete, by options that may come as a body. */
export interface RemovePorts extends WritePorts, DecodePorts {}

/** To take an object from a caller and to store it. */
export interface CreatePorts extends RemovePorts {
  readonly random: Random
  /** Throws Forbidden unless the caller may also do this verb on what the call addresses. */
  allow(call: ResourceCall, verb: string): void
}

export interface PatchPorts extends CreatePorts {
  strategicMerge(live: Readonly<Draft>, patch: Record<string, unknown>, kind: ServedKind): Draft
}
