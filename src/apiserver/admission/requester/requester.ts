// Who asks for a certificate is written down by the server: the signer decides by it, so nobody may say it of himself.
import { isRecord } from '#base'
import type { Draft } from '../../draft.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

export const requester: MakePlugin = () => ({ name: 'CertificateRequester', mutate: withRequester })

function withRequester({ kind, operation, subresource, object, user }: AdmissionAttributes): Draft | undefined {
  const isRequest = kind.resource.group === 'certificates.k8s.io' && kind.resource.plural === 'certificatesigningrequests'
  if (object === undefined || !isRequest || operation !== 'CREATE' || subresource !== '') return object
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = isRecord(object.spec) ? object.spec : {}
  const { username, uid, groups, extra } = user
  return {
    ...object,
    spec: { ...asked, username, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) },
  }
}
