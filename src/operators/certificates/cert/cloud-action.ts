// A call that changes something in AWS, as a plan holds it: the whole input, so that there is nothing left to choose.
import type { Values } from '#aws'
import type { OwnAction, Trouble } from '#runtime'
import type { CloudService } from '../aws/call.ts'
import type { CertificateOwner } from '../aws/certificate.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import type { DayRequest } from './day/day-requests.ts'

export type Purpose = 'request' | 'write-records' | 'delete-certificate' | 'delete-record' | 'tag' | 'untag' | 'options' | 'renew'

export interface CloudAction extends OwnAction {
  readonly kind: 'act:cloud'
  readonly purpose: Purpose
  readonly service: CloudService
  readonly operation: string
  readonly input: Values
  readonly zone?: RegisteredZone
  /** Whose the certificate has to be by its tags. */
  readonly owner?: CertificateOwner
  /** Whose it may not be: what its tags give to another object, or to nobody, is left as it is. */
  readonly madeFor?: CertificateOwner
  /** Uid of the object that the certificate is asked for. */
  readonly askedFor?: string
  /** What it takes of the day, where it asks for a certificate. */
  readonly ofTheDay?: DayRequest
}

/** What reading met, handed to the engine as the failure of the pass. */
export interface ReadingFault extends OwnAction {
  readonly kind: 'act:fault'
  readonly trouble: Trouble
}

/** Something happened in AWS that is worth an event. */
export interface NoticeAction extends OwnAction {
  readonly kind: 'act:notice'
}

export type CertAction = CloudAction | ReadingFault | NoticeAction

export function isCloudAction(action: { readonly kind: string }): action is CloudAction {
  return action.kind === 'act:cloud'
}
