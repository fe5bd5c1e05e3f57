// Namespaces that a cluster cannot do without.
import { forbidden } from '../../refusals.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

export const immortalNamespaces: MakePlugin = () => ({
  name: 'ImmortalNamespaces',
  mutate: attributes => {
    refuseDeletion(attributes)
    return attributes.object
  },
})

/** Before any webhook is asked. */
function refuseDeletion({ operation, kind, name }: AdmissionAttributes): void {
  if (operation !== 'DELETE' || kind.resource.group !== '' || kind.resource.plural !== 'namespaces' || !immortal.has(name)) return
  throw forbidden(kind.resource, name, 'this namespace may not be deleted')
}
