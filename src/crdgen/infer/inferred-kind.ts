// A type of its own, so that what a kind is checked and documented by does not import the file that infers it.
import type { PrinterColumn } from '#kube'
import type { ResourceConfig } from '../config/generator-config.ts'
import type { OperationType } from './classify.ts'
import type { FieldMap } from './field-type.ts'

/** A kind as inference made it. */
export interface InferredKind {
  /** The resource name, as operations spell it. */
  readonly resource: string
  readonly kind: string
  readonly plural: string
  readonly operations: Readonly<Partial<Record<OperationType, string>>>
  readonly spec: FieldMap
  readonly status: FieldMap
  readonly arnMember?: string
  readonly columns: readonly PrinterColumn[]
  readonly config: ResourceConfig
  /** Of the structure that is called like the resource. */
  readonly documentation?: string
}
