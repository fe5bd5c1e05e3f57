import assert from 'node:assert/strict'
import { request as httpsRequest } from 'node:https'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { createApiServer } from './create-api-server.ts'

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }]
  readonly users: readonly [
    {
      readonly user: { readonly token?: string; readonly 'client-certificate-data'?: string; readonly 'client-key-data'?: string }
    },
  ]
}

function whoAmI(kubeconfig: string): Promise<{ status: number; body: string }> {
  const { clusters, users } = load(kubeconfig) as Kubeconfig
  const text = (base64: string | undefined): string | undefined =>
    base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString()
  const { user } = users[0]
  const { cluster } = clusters[0]
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      `${cluster.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        agent: false,
        ca: text(cluster['certificate-authority-data']),
        cert: text(user['client-certificate-data']),
        key: text(user['client-key-data']),
        headers: {
          'content-type': 'application/json',
          ...(user.token === undefined ? {} : { authorization: `Bearer ${user.token}` }),
        },
      },
      response => {
        let body = ''
        response.on('data', chunk => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      },
    )
    call.on('error', reject)
    call.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}')
  })
}

test('a kubeconfig with a token and one with a certificate say who they are over TLS', async () => {
  const server = createApiServer({ seed: 1 })
  await server.listen()
  const admin = await whoAmI(server.kubeconfig())
  assert.equal(admin.status, 201, admin.body)
  assert.equal(JSON.parse(admin.body).status.userInfo.username, 'kubernetes-admin')
  const jane = await whoAmI(server.kubeconfig({ username: 'jane', groups: ['dev'] }))
  assert.equal(jane.status, 201, jane.body)
  assert.deepEqual(JSON.parse(jane.body).status.userInfo, { username: 'jane', groups: ['dev', 'system:authenticated'] })
  await server.close()
})
