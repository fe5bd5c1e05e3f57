// The options that writes share: dryRun, fieldManager, fieldValidation, force.

import { type FieldError, fieldError, type Json } from '#schema'
import type { ApiCall } from '../http/call.ts'
import { invalid } from '../refusals.ts'

export interface RequestWriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly force: boolean
}

export function readWriteOptions(
  call: ApiCall,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): RequestWriteOptions {
  const errors: FieldError[] = []
  const dryRun = readDryRun(call.query.all('dryRun'), errors)
  const fieldManager = call.query.get('fieldManager') ?? ''
  checkManager(fieldManager, apply, errors)
  const fieldValidation = call.query.get('fieldValidation') ?? ''
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    errors.push(fieldError.notSupported('fieldValidation', fieldValidation as Json, ['', 'Ignore', 'Strict', 'Warn']))
  }
  const force = call.query.get('force')
  if (kind === 'PatchOptions' && force !== undefined && !apply) {
    errors.push({ type: 'FieldValueForbidden', field: 'force', detail: 'may not be specified for non-apply patch' })
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return {
    dryRun,
    fieldManager: fieldManager || managerFromAgent(call.userAgent),
    fieldValidation: (fieldValidation || 'Warn') as RequestWriteOptions['fieldValidation'],
    force: isTrue(force),
  }
}

/** Whatever is no denial is consent, an empty value too. */
function isTrue(text: string | undefined): boolean {
  return text !== undefined && text !== '0' && text.toLowerCase() !== 'false'
}

/** The options as admission sees them: a patch is an update to it. */
export function admissionOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  call: ApiCall,
  options: RequestWriteOptions,
): Record<string, unknown> {
  const manager = call.query.get('fieldManager')
  const validation = call.query.get('fieldValidation')
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(options.dryRun ? { dryRun: ['All'] } : {}),
    ...(manager === undefined || manager === '' ? {} : { fieldManager: manager }),
    ...(validation === undefined || validation === '' ? {} : { fieldValidation: validation }),
  }
}

export function readDryRun(values: readonly string[], errors: FieldError[]): boolean {
  if (values.some(value => value !== 'All')) errors.push(fieldError.notSupported('dryRun', values as Json, ['All']))
  return values.length > 0
}

const managerLengthMax = 128

function checkManager(manager: string, required: boolean, errors: FieldError[]): void {
  if (required && manager === '') {
    errors.push({ type: 'FieldValueRequired', field: 'fieldManager', detail: 'is required for apply patch' })
  }
  if (manager.length > managerLengthMax) {
    errors.push({
      type: 'FieldValueTooLong',
      field: 'fieldManager',
      value: manager,
      detail: `may not be more than ${managerLengthMax} bytes`,
    })
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const at = manager.search(/[\u0000-\u001f\u007f]/)
  if (at >= 0) {
    const code = manager.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
    errors.push({
      type: 'FieldValueInvalid',
      field: 'fieldManager',
      value: manager,
      detail: `invalid character U+${code} (at position ${at})`,
    })
  }
}

/** `manager`, `kubectl`, `curl`: the product name of the user agent. */
function managerFromAgent(agent: string): string {
  const product = agent.split('/', 1)[0] ?? ''
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken away
  const printable = product.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, managerLengthMax)
  return printable === '' ? 'unknown' : printable
}
