// The pod webhook called by a real kube-apiserver over TLS, with the rights of its manifests, under rotation and restart.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { silentLog, systemClock, systemKeys, systemRandom } from '#base'
import type { KubeObject } from '#kube'
import type { KubeError } from '#kube/client'
import { Metrics } from '#runtime'
import { clusterCertificate } from '../../src/operators/pods/serve/cluster-certificate.ts'
import { assertValidStaysValid, podOf, prefix, role, roleIn, withRole } from '../../src/operators/pods/testing/valid-pods.ts'
import { comesAbout } from './eventually.ts'
import { configMaps, metricsOf, pods, serviceAccounts, signingRequests, WebhookWorld } from './pod-webhook-world.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()

describe('the pod webhook on a real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  it('its manifests apply cleanly, and what is stored is what was printed', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    const all = world.manifests({ failurePolicy: 'Fail' })
    const plain = all.filter(({ kind }) => kind !== 'MutatingWebhookConfiguration')
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: plain })
    const { code, stdout, stderr } = await world.plane.kubectl(['diff', '-f', '-'], { input: list })
    assert.equal(code, 0, stdout + stderr)
    // Not for real: it would be asked about every pod of this API server.
    const configuration = all.filter(({ kind }) => kind === 'MutatingWebhookConfiguration')
    assert.match(await world.apply(configuration, ['--dry-run=server']), /created \(server dry run\)/)
    const cluster = world.manifests({ certificate: { kind: 'cluster', caBundle: world.authority.certificate } })
    assert.match(await world.apply(cluster, ['--dry-run=server']), /deployment.apps\/\S+ configured/)
  })

  it('it works with the rights of its manifests, and uses every one of them [X10]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.account('app', withRole)
    await world.register()
    const replica = await world.start()
    assert.equal(roleIn(await world.admin.create(pods, podOf(world.apps, 'app'))), role)
    await world.admin.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: world.home, name: 'pod-identity-webhook' },
      data: { config: JSON.stringify({ [`${world.apps}/mapped`]: { RoleARN: role } }) },
    } as KubeObject)
    await world.account('mapped')
    await eventually(async () => roleIn(await world.admin.create(pods, podOf(world.apps, 'mapped'))) === role)
    // That it has no role is asked of the API server itself.
    await world.account('plain')
    assert.equal(roleIn(await world.admin.create(pods, podOf(world.apps, 'plain'))), undefined)
    assert.match(await metricsOf(replica.metricsPort), /pod_identity_webhook_used 1/)
    const granted = world
      .manifests()
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap(object => (object as KubeObject & { rules: { resources: string[]; verbs: string[] }[] }).rules)
      .flatMap(({ resources, verbs }) => resources.flatMap(resource => verbs.map(verb => `${verb} ${resource}`)))
    assert.deepEqual([...world.used].sort(), granted.sort())
  })

  it('a ServiceAccount without its role, and its pod, in one kubectl apply: kubectl itself waits until the role is there [S20]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.register()
    await world.start(['--required-role-wait=500ms'])
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: world.apps, name: 'app', annotations: { [`${prefix}/require-role`]: 'true' } },
    }
    const pod = podOf(world.apps, 'app', {}, { name: 'with-it', generateName: undefined })
    const applied = world.apply([account, pod])
    await eventually(async () => (await world.admin.find(serviceAccounts, { namespace: world.apps, name: 'app' })) !== undefined)
    await systemClock.sleep(2_500)
    await world.admin.patch(serviceAccounts, { namespace: world.apps, name: 'app' }, 'merge', {
      metadata: { annotations: withRole },
    })
    assert.match(await applied, /pod\/with-it created/)
    assert.equal(roleIn(await world.admin.get(pods, { namespace: world.apps, name: 'with-it' })), role)
  })

  it('when the role never comes, the user is told which and why [S20]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.register()
    await world.start(['--required-role-wait=100ms'])
    await world.account('app', { [`${prefix}/require-role`]: 'true' })
    await assert.rejects(world.admin.create(pods, podOf(world.apps, 'app')), (error: KubeError) => {
      assert.equal(error.httpStatus, 429)
      assert.equal(error.retryAfterMs, 1_000)
      assert.match(
        error.message,
        /denied the request: the role of ServiceAccount \S+\/app is promised or required but not there yet/,
      )
      return true
    })
  })

  it('a role that was readable when the pod was made is in the pod, however the watch lags [S20]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.register()
    await world.start()
    for (let round = 0; round < 40; round++) {
      const name = `app-${round}`
      await world.account(name)
      if (round % 2 === 0) await world.admin.create(pods, podOf(world.apps, name))
      await world.admin.patch(serviceAccounts, { namespace: world.apps, name }, 'merge', { metadata: { annotations: withRole } })
      assert.equal(roleIn(await world.admin.create(pods, podOf(world.apps, name))), role, name)
    }
  })

  it('whatever pod the API server takes it takes from us too, with all its fields, and twice changes nothing [E-07, T-01, T-02]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.account('app', withRole)
    await world.account('plain')
    await world.register()
    await world.start(['--aws-default-region=eu-west-1', '--sts-regional-endpoint'])
    const accepted = await assertValidStaysValid(world.admin, world.apps, { runs: 80, seed: 1 })
    assert.ok(accepted >= 30, `only ${accepted} of the pods were valid`)
  })

  it('two replicas whose certificates are renewed under load lose no review [P-05]', async t => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.account('app', withRole)
    await world.register('Fail')
    const replicas = [await world.start(), await world.start()]
    const load = underLoad(world)
    for (let round = 0; round < 4; round++) {
      const replica = replicas[round % 2]
      const pair = world.authority.pair()
      await replica?.files.write('/tls.crt', pair.certificate)
      await systemClock.sleep(100)
      await replica?.files.write('/tls.key', pair.key)
      await systemClock.sleep(900)
      await load.more(20)
    }
    const { made, failures } = await load.stop()
    t.diagnostic(`${made} pods made while four certificates changed`)
    assert.deepEqual(failures, [])
    assert.ok(made > 50)
  })

  it('replicas that are replaced one after the other under load lose no review [P-14]', async t => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.account('app', withRole)
    await world.register('Fail')
    let replicas = [await world.start(), await world.start()]
    const load = underLoad(world)
    for (let round = 0; round < 4; round++) {
      const [oldest, ...others] = replicas
      const next = await world.start()
      await load.more(10)
      await oldest?.stop()
      replicas = [...others, next]
      await load.more(10)
    }
    const { made, failures } = await load.stop()
    t.diagnostic(`${made} pods made while four replicas were replaced`)
    assert.deepEqual(failures, [])
    assert.ok(made > 50)
  })

  it('while it is away, Ignore lets pods in without, and Fail holds them up [B-18]', async () => {
    await using world = await WebhookWorld.open(await sharedControlPlane())
    await world.account('app', withRole)
    await world.register('Fail')
    const replica = await world.start()
    await replica.stop()
    await assert.rejects(world.admin.create(pods, podOf(world.apps, 'app')), /failed calling webhook/)
    await world.plane.kubectl([
      'patch',
      'mutatingwebhookconfiguration',
      world.name,
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]',
    ])
    await eventually(
      async () => roleIn(await world.admin.create(pods, podOf(world.apps, 'app')).catch(() => podOf('', ''))) === undefined,
    )
    const pod = await retried(() => world.admin.create(pods, podOf(world.apps, 'app')))
    assert.equal(roleIn(pod), undefined)
  })

  it('a certificate from the cluster, with the rights of the manifests [§2.14]', async t => {
    const choice = { certificate: { kind: 'cluster', caBundle: '' }, watchConfigMap: false } as const
    await using world = await WebhookWorld.open(await sharedControlPlane(), choice)
    const client = world.asWebhook()
    const source = clusterCertificate({
      client,
      clock: systemClock,
      random: systemRandom,
      keys: systemKeys,
      log: silentLog,
      metrics: new Metrics(),
      namespace: world.home,
      serviceName: world.name,
      secretName: world.name,
      signerName: 'example.com/serving',
    })
    const pending = source.first(AbortSignal.timeout(30_000))
    const requests = async () =>
      (await world.admin.list(signingRequests)).items.filter(({ metadata }) => metadata.name.startsWith(world.name))
    await eventually(async () => (await requests()).length === 1)
    const request = (await requests())[0] as KubeObject & { spec: { request: string } }
    let publicKey: string
    try {
      publicKey = execFileSync('openssl', ['req', '-noout', '-pubkey'], {
        input: Buffer.from(request.spec.request, 'base64'),
      }).toString()
    } catch {
      return t.skip('no openssl here to read the request with')
    }
    await world.plane.kubectl(['certificate', 'approve', request.metadata.name ?? ''])
    const dns = [
      world.name,
      `${world.name}.${world.home}`,
      `${world.name}.${world.home}.svc`,
      `${world.name}.${world.home}.svc.cluster.local`,
    ]
    const certificate = world.authority.sign(publicKey, { dns })
    const status = { certificate: Buffer.from(certificate).toString('base64') }
    await world.admin.patch(
      signingRequests,
      { namespace: '', name: request.metadata.name ?? '' },
      'merge',
      { status },
      { subresource: 'status' },
    )
    assert.equal((await pending).certificate, certificate)
    assert.equal((await source.first(AbortSignal.timeout(30_000))).certificate, certificate, 'kept in the Secret')
    // `update` is for a renewal, months later; the tests beside the code renew.
    assert.deepEqual([...world.used].sort(), [
      'create certificatesigningrequests',
      'create secrets',
      'get certificatesigningrequests',
      'get secrets',
    ])
  })
})

interface Load {
  /** So many more pods have been made, or something went wrong: however fast the machine is, each change happens in the midst of them. */
  more(count: number): Promise<void>
  stop(): Promise<{ readonly made: number; readonly failures: readonly string[] }>
}

/** Eight users who make pods, one after the other, and remember what went wrong. */
function underLoad(world: WebhookWorld): Load {
  let isOver = false
  let made = 0
  const failures: string[] = []
  const user = async (): Promise<void> => {
    while (!isOver) {
      try {
        const pod = await world.admin.create(pods, podOf(world.apps, 'app'), { dryRun: true })
        if (roleIn(pod) === role) made++
        else failures.push('let in without its role')
      } catch (error) {
        failures.push((error as Error).message)
      }
    }
  }
  const users = Array.from({ length: 8 }, user)
  return {
    more: count => {
      const enough = made + count
      return eventually(() => Promise.resolve(made >= enough || failures.length > 0))
    },
    stop: async () => {
      isOver = true
      await Promise.all(users)
      return { made, failures: failures.slice(0, 5) }
    },
  }
}

function eventually(holds: () => Promise<boolean>): Promise<void> {
  return comesAbout(holds, () => 'what the webhook was to do')
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 20) throw error
      await systemClock.sleep(100)
    }
  }
}
