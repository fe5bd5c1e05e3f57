// What the certificate operator may do on the API server: the one list from which manifests are rendered, and that tests hold against what
// it really does.
import { events, type Right, rightTo } from '#kube'
import { certKind } from '../api/kinds.ts'

export interface CertRightsOptions {
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
}

/** Beside what every process of ours needs. */
export function kubeRights({ namespaces }: CertRightsOptions): readonly Right[] {
  const scope = namespaces === undefined ? {} : { within: namespaces }
  const rights = [
    rightTo(certKind.type, ['get', 'list', 'watch', 'patch'], 'what is asked for; patched for finalizer and counters'),
    rightTo(certKind.type, ['patch'], 'what is said of it', 'status'),
    rightTo(events, ['create', 'patch'], 'the life of a certificate'),
  ]
  return rights.map(right => ({ ...right, ...scope }))
}
