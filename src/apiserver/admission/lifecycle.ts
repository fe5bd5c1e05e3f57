// Namespaces that a cluster cannot do without.
import { forbidden } from '../refusals.ts'
import type { AdmissionAttributes } from './admission.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

export function checkDeletable({ operation, kind, name }: AdmissionAttributes): void {
  if (operation !== 'DELETE' || kind.resource.group !== '' || kind.resource.plural !== 'namespaces' || !immortal.has(name)) return
  throw forbidden(kind.resource, name, 'this namespace may not be deleted')
}
