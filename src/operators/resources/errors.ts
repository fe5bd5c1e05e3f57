// What an error of a call means for the claim. The table is that of the room cloud; a kind knows which refusals no repetition can change.
import type { AwsError } from '#aws'
import { cloudReasons, cloudTrouble } from '#cloud'
import { Trouble } from '#runtime'
import type { DeviatingKind } from './kinds/deviation.ts'
import { ValueError } from './model/convert.ts'

const ownReasons = {
  ResourceExists: 'A resource of that name is there and is not managed by this object.',
  UnexpectedFinalizer:
    'The object came with our finalizer or marks, and nothing that only we write says that the resource is its own.',
  ResourceMoved: 'The account or region that is asked for is not the one in which the resource was made.',
  ReferenceUnresolved: 'A referenced object is missing, not ready, or may not be referred to.',
  SecretUnusable: 'A secret is missing, of another type, lacks the key, or is not among those that may be used.',
  TargetRefused:
    'What is to be exported, or an object that is to be made, may not be written where it is to go; the message says why.',
  RoleMissing: 'No role is known for the account or team.',
  SelectorAmbiguous: 'Several IAMRoleSelectors apply, or the one that does cannot be followed.',
  UpdatesUndone: 'Updates of the resource undo each other: fields of the spec exclude each other.',
  NotVisibleYet: 'The resource was made, and AWS does not show it yet.',
  NotUpdatable: 'A field was changed that no API can change.',
  NotReadable: 'The resource was made, or may have been, and nothing is known by which AWS could be asked for it.',
  DuplicateOwner: 'Another object manages the same resource.',
  AdoptedResourceNotFound: 'The resource that was adopted, or is to be, is not there.',
  AdoptionFailed: 'The resource that is only read is not there, or not one alone fits what it is looked up by.',
  NotImplemented: 'The API has no operation for what is needed.',
} as const

/** The reasons of our own and those of all who call AWS; those of the engine come beside them. */
export const reasons: typeof cloudReasons & typeof ownReasons = { ...cloudReasons, ...ownReasons }

/** Anything that was thrown while a claim was worked on, as trouble of the claim. Trouble of other origins is left alone. */
export function troubleOf(error: unknown, kind: DeviatingKind, dependency: string): unknown {
  if (error instanceof ValueError)
    return new Trouble({ kind: 'stop', reason: 'InvalidManifest', message: error.message, dependency, cause: error })
  return cloudTrouble(error, { dependency, service: kind.model.service.model.id, isFinal: refused => isTerminal(refused, kind) })
}

function isTerminal(error: AwsError, { model, deviation }: DeviatingKind): boolean {
  if (deviation.passes?.(error) === true) return false
  return model.kind.settings.terminalCodes?.includes(error.code) ?? false
}
