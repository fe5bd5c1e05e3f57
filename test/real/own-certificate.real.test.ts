// The admission webhooks with an authority of their own, on a real kube-apiserver: two processes with the rights of the manifests and no
// others, called over TLS behind the Service, and openssl as a second opinion of what they serve.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { dump } from 'js-yaml'
import { memoryFiles, silentLog, systemClock, systemSeams } from '#base'
import { clusterProfileKind } from '#fleet'
import { endpointSlices, type KubeObject, renderCrd, type StoredObject, secrets, validatingWebhookConfigurations } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { hubDefaults, readOperatorFlags, renderHub, runOperator } from '../../src/cli/testing/commands.ts'
import { roleKind } from '../../src/operators/identity/api.ts'
import { type ControlPlane, renderKubeconfig, startControlPlane } from './control-plane.ts'
import { eventually } from './eventually.ts'
import { ownAddress } from './own-address.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const { namespace } = hubDefaults
const key = { namespace, name: 'vouch-webhook-authority' }
type Secret = StoredObject & { readonly data?: Readonly<Record<string, string>> }
type Configuration = StoredObject & { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] }

describe('webhooks with an authority of their own on a real kube-apiserver', {
  skip: ownAddress === undefined ? 'no address but loopback' : skip,
}, () => {
  const stop = new AbortController()
  const running: Promise<void>[] = []
  let plane: ControlPlane
  let admin: KubeClient
  after(async () => {
    stop.abort(new Error('enough'))
    await Promise.all(running)
    await plane?.stop()
  })

  const bundles = async (): Promise<readonly string[]> =>
    (await admin.get<Configuration>(validatingWebhookConfigurations, { namespace: '', name: 'vouch-validating' })).webhooks.map(
      ({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString(),
    )
  const stored = async (name: string): Promise<string> =>
    Buffer.from((await admin.get<Secret>(secrets, key)).data?.[name] ?? '', 'base64').toString()
  /** The words of the webhook itself, and not of an API server that could not reach it. */
  const review = async (): Promise<string> => {
    const role = {
      spec: { serviceAccount: { namespace: 'app', name: 'app' }, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
    }
    try {
      await admin.create(roleKind.type, roleKind.make({ namespace: 'default', name: 'r' }, role.spec as never) as KubeObject, {
        dryRun: true,
      })
      return 'allowed'
    } catch (error) {
      return error instanceof KubeError ? error.message : String(error)
    }
  }
  const isAnswered = async (): Promise<void> => assert.match(await review(), /admission webhook .* denied the request/)

  it('is trusted by the API server as soon as it runs, and both replicas serve the same', async () => {
    plane = await startControlPlane()
    admin = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
    const objects = await renderHub({ ...hubDefaults, certificate: 'own' })
    const applied = [renderCrd(clusterProfileKind), ...objects].map(object => `---\n${dump(object, { noRefs: true })}`).join('')
    const { code, stderr } = await plane.kubectl(['apply', '--server-side', '-f', '-'], { input: applied })
    assert.equal(code, 0, stderr)
    const { token } = await admin.requestToken({ namespace, name: 'vouch' }, { audiences: [] })
    const kubeconfig = renderKubeconfig({ ...plane, token }).replace('"context":{', `"context":{"namespace":"${namespace}",`)
    const files = memoryFiles({ '/kubeconfig': kubeconfig, '/etc/cluster-inventory/config.json': '{"providers":[]}' })
    const deployment = objects.find(({ kind }) => kind === 'Deployment') as KubeObject & {
      spec: { template: { spec: { containers: { args: string[] }[] } } }
    }
    const given = deployment.spec.template.spec.containers[0]?.args.slice(1) ?? []
    const ports: number[] = []
    for (let replica = 0; replica < 2; replica++) {
      const port = await new Promise<number>((resolve, reject) => {
        const args = [
          '--kubeconfig=/kubeconfig',
          '--webhook-bind-address=:0',
          '--health-probe-bind-address=0',
          '--metrics-bind-address=0',
        ]
        const settings = readOperatorFlags([...given, ...args], {})
        const env = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' }
        const seams = { ...systemSeams(env, { log: silentLog }), files }
        const ended = runOperator(
          { settings, seams, version: 'test', onListening: ({ webhook }) => resolve(webhook ?? 0) },
          stop.signal,
        )
        ended.catch(reject)
        running.push(ended.catch(() => {}))
      })
      ports.push(port)
      const slice = {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { namespace, name: `vouch-webhook-${replica}`, labels: { 'kubernetes.io/service-name': 'vouch-webhook' } },
        addressType: 'IPv4',
        ports: [{ name: 'webhook', port, protocol: 'TCP' }],
        endpoints: [{ addresses: [ownAddress], conditions: { ready: true } }],
      }
      await admin.create(endpointSlices, slice as KubeObject)
    }
    await holds(isAnswered)
    assert.deepEqual([...new Set(await bundles())], [await stored('ca.crt')])
    const kept = new X509Certificate(await stored('tls.crt')).raw.toString('base64')
    for (const port of ports) assert.equal(await shown(port), kept)
  })

  it('is what openssl takes for a server of that name', async () => {
    const [ca, leaf] = [join(plane.folder, 'ca.pem'), join(plane.folder, 'leaf.pem')]
    writeFileSync(ca, (await bundles())[0] ?? '')
    writeFileSync(leaf, await stored('tls.crt'))
    const name = `vouch-webhook.${namespace}.svc`
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', name, '-CAfile', ca, leaf]
    const { stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
    assert.equal(stdout, `${leaf}: OK\n`, stderr)
  })

  it('puts back what another hand did to the bundle, and reviews go on', async () => {
    const foreign = Buffer.from(await stored('tls.crt')).toString('base64')
    const patch = [{ op: 'replace', path: '/webhooks/0/clientConfig/caBundle', value: foreign }]
    await admin.patch(validatingWebhookConfigurations, { namespace: '', name: 'vouch-validating' }, 'json', patch)
    await holds(async () => assert.deepEqual([...new Set(await bundles())], [await stored('ca.crt')]))
    await holds(isAnswered)
  })

  it('begins anew when the Secret loses all, while no review is refused by distrust', async () => {
    const before = await stored('ca.crt')
    const secret = await admin.get<Secret>(secrets, key)
    const { data: _lost, ...emptied } = secret
    await admin.update(secrets, emptied as KubeObject)
    await holds(async () => {
      await isAnswered()
      const now = await stored('ca.crt')
      assert.ok(now !== '' && now !== before)
      for (const bundle of await bundles()) assert.ok(bundle.includes(now.trim()) && bundle.includes(before.trim()))
    })
    await isAnswered()
  })
})

/** Until a check finds nothing to complain of. */
async function holds(check: () => Promise<void>): Promise<void> {
  let last: unknown
  const look = (): Promise<true | undefined> =>
    check().then(
      () => true,
      (error: unknown) => {
        last = error
        return undefined
      },
    )
  await eventually(look, () => String(last))
}

/** What a new connection is shown, as DER. */
async function shown(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return raw.toString('base64')
}
