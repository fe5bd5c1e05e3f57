// A kubeconfig as kubectl and every client library reads it.
import { dump } from 'js-yaml'
import { given } from '#base'

export interface KubeconfigUser {
  readonly name: string
  readonly token?: string
  readonly certificate?: string
  readonly key?: string
}

export function renderKubeconfig(cluster: { name: string; url: string; ca: string }, user: KubeconfigUser): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const context = `${user.name}@${cluster.name}`
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster.name, cluster: { server: cluster.url, 'certificate-authority-data': base64(cluster.ca) } }],
      users: [
        {
          name: user.name,
          user: {
            ...given({ token: user.token }),
            ...(user.certificate === undefined ? {} : { 'client-certificate-data': base64(user.certificate) }),
            ...(user.key === undefined ? {} : { 'client-key-data': base64(user.key) }),
          },
        },
      ],
      contexts: [{ name: context, context: { cluster: cluster.name, user: user.name } }],
      'current-context': context,
    },
    { lineWidth: -1 },
  )
}
