// From the Secret that leads into a guest to a kubeconfig that may be used: certificates or a token that stand in it, and nothing that would
// run a program or read a file here, since whoever may write that Secret need not be trusted with this process.
import { createHash } from 'node:crypto'
import { given, isRecord } from '#base'
import { KubeconfigError, parseKubeconfig, selectContext } from '#kube/client'
import { type PlatformSecret, textIn } from '../build/authority.ts'

export type GuestAccess =
  | { readonly kind: 'access'; readonly kubeconfig: string; readonly fingerprint: string }
  | { readonly kind: 'unusable'; readonly message: string }

export function readGuestAccess(secret: PlatformSecret, namespace: string): GuestAccess {
  const { name = '' } = secret.metadata
  const unusable = (why: string): GuestAccess => ({
    kind: 'unusable',
    message: `Secret ${name} leads nowhere: ${why}; give it a kubeconfig with the address of the guest and a certificate or token`,
  })
  const text = textIn(secret, 'kubeconfig')
  if (text === '') return unusable('it has no key kubeconfig')
  try {
    const { cluster, user, context } = selectContext(parseKubeconfig(text, name), {}, [name])
    const [foreign] = Object.entries(user.entry).find(([key, value]) => isForeign(key, value)) ?? []
    if (foreign !== undefined) return unusable(`its ${foreign} would run a program or read a file`)
    if (cluster.entry.caFile !== undefined) return unusable('its certificate-authority would read a file')
    const { server, caData = '', tlsServerName, insecureSkipVerify } = cluster.entry
    if (URL.parse(server)?.protocol !== 'https:') return unusable('its server is no address that begins with https')
    if (insecureSkipVerify) return unusable('it trusts anybody who answers')
    const { certificateData, keyData, token } = user.entry
    const kubeconfig = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': context,
      contexts: [{ name: context, context: { cluster: 'guest', user: 'guest' } }],
      clusters: [
        {
          name: 'guest',
          cluster: {
            server: addressFromOutside(server, namespace),
            ...(caData === '' ? {} : { 'certificate-authority-data': encoded(caData) }),
            ...given({ 'tls-server-name': tlsServerName }),
          },
        },
      ],
      users: [
        {
          name: 'guest',
          user: {
            ...(certificateData === undefined ? {} : { 'client-certificate-data': encoded(certificateData) }),
            ...(keyData === undefined ? {} : { 'client-key-data': encoded(keyData) }),
            ...given({ token }),
          },
        },
      ],
    })
    return { kind: 'access', kubeconfig, fingerprint: createHash('sha256').update(kubeconfig).digest('hex') }
  } catch (error) {
    if (error instanceof KubeconfigError) return unusable('it is no kubeconfig')
    throw error
  }
}

const harmless = new Set(['certificateData', 'keyData', 'token', 'impersonateExtra'])

function isForeign(key: string, value: unknown): boolean {
  return !harmless.has(key) && value !== undefined && !(isRecord(value) && Object.keys(value).length === 0)
}

/** The platform writes the name of a Service as its own namespace calls it. */
function addressFromOutside(server: string, namespace: string): string {
  const url = new URL(server)
  if (/^[a-z0-9-]+$/.test(url.hostname) && url.hostname !== 'localhost') url.hostname = `${url.hostname}.${namespace}.svc`
  return url.href.replace(/\/$/, '')
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
