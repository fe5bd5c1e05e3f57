// The certificate operator beside an AWS that is not ours: moto. What moto knows is checked: that the calls are well formed, that the
// certificate and its record are there with our tags, and that nothing of it is left at the end. moto proves nothing: it issues by itself.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import { isRecord, silentLog, systemClock, systemRandom } from '#base'
import { renderCrd, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { type Cert, certKind, createCertificatesOperator, Zones } from '#operators/certificates'
import { createManager } from '#runtime'
import { eventually } from './eventually.ts'
import { type Moto, motoClients, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false
const region = 'us-east-1'
const zoneName = 'k8s.example.com'
const key = { namespace: 'default', name: 'shop' }

describe('the certificate operator with moto as AWS', { skip }, () => {
  let moto: Moto
  before(async () => {
    // Seconds until it issues; a minute without.
    moto = await startMoto(python as Python, { MOTO_ACM_VALIDATION_WAIT: '1' })
  })
  after(() => moto.stop())

  test('a certificate comes, gets another name, and goes with its records', { timeout: 300_000 }, async () => {
    const { clients, close } = motoClients(moto.url)
    const route53 = clients.for({ model: serviceModel('route53'), region })
    const acm = clients.for({ model: serviceModel('acm'), region })
    const { HostedZone } = await route53.call('CreateHostedZone', { Name: zoneName, CallerReference: 'one' })
    const zoneId = textOf(HostedZone, 'Id').replace('/hostedzone/', '')
    const hub = createApiServer({ name: 'hub', objects: [renderCrd(certKind)] })
    const kube = createKubeClient({ clock: systemClock, address: 'hub', exchange: hub.as() })
    const seams = { clock: systemClock, random: systemRandom, log: silentLog }
    const operator = createCertificatesOperator({
      seams,
      clients,
      region,
      zones: new Zones([{ name: zoneName, id: zoneId }]),
      settings: {
        clusterId: 'here',
        intervals: {
          pending: { baseMs: 500, maxMs: 1_000 },
          created: { baseMs: 500, maxMs: 1_000 },
          validatedMs: 1_000,
          readyMs: 2_000,
          failedMs: 2_000,
        },
      },
      layers: { cache: undefined, rates: undefined },
    })
    const manager = createManager({ client: kube, seams, identity: 'moto', controllers: operator.controllers })
    const stop = new AbortController()
    const running = manager.run(stop.signal)
    const cert = (): Promise<(Cert & StoredObject) | undefined> => kube.find<Cert & StoredObject>(certKind.type, key)
    const until = (is: (found: Cert) => boolean): Promise<Cert> =>
      eventually(
        async () => {
          const found = await cert()
          return found !== undefined && is(found) ? found : undefined
        },
        async () => JSON.stringify((await cert())?.status),
        90_000,
      )
    try {
      const spec = { serviceName: 'shop', environment: 'prod', deleteOnRemoval: true, tags: { team: 'web' } }
      const rotation = { deleteSuperseded: true, retain: '1s' }
      const made = { apiVersion: certKind.apiVersion, kind: 'Cert', metadata: key, spec: { ...spec, rotation } }
      await kube.create(certKind.type, made)
      const first = await until(({ status }) => status?.state === 'Ready')
      const arn = first.status?.certificateArn
      const { Tags } = await acm.call('ListTagsForCertificate', { CertificateArn: arn })
      const tags = new Map(listOf(Tags).map(tag => [textOf(tag, 'Key'), textOf(tag, 'Value')]))
      assert.deepEqual(
        ['team', 'acm.ops.example.dev/uid', 'acm.ops.example.dev/cluster'].map(name => tags.get(name)),
        ['web', first.metadata.uid, 'here'],
      )
      assert.deepEqual(await recordsOf(zoneId), [`shop-prod.${zoneName}`])
      const patch = { spec: { subjectAlternativeNames: [`www.${zoneName}`] } }
      await kube.patch(certKind.type, key, 'merge', patch)
      const second = await until(({ status }) => status?.state === 'Ready' && status.certificateArn !== arn)
      assert.notEqual(second.status?.certificateArn, arn)
      await until(({ status }) => (status?.supersededCertificates ?? []).length === 0)
      await kube.delete(certKind.type, key)
      await eventually(
        async () => ((await cert()) === undefined ? true : undefined),
        async () => JSON.stringify((await cert())?.status?.conditions),
        90_000,
      )
      const { CertificateSummaryList } = await acm.call('ListCertificates', {})
      assert.deepEqual([CertificateSummaryList, await recordsOf(zoneId)], [[], []])
    } finally {
      stop.abort(new Error('enough'))
      await running
      await hub.close()
      await close()
    }

    /** The names that the CNAMEs of the zone prove. */
    async function recordsOf(id: string): Promise<readonly string[]> {
      const { ResourceRecordSets } = await route53.call('ListResourceRecordSets', { HostedZoneId: id })
      return listOf(ResourceRecordSets)
        .filter(set => textOf(set, 'Type') === 'CNAME')
        .map(set =>
          textOf(set, 'Name')
            .replace(/^_[^.]+\./, '')
            .replace(/\.$/, ''),
        )
        .toSorted()
    }
  })
})

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown, field: string): string {
  const text = isRecord(value) ? value[field] : undefined
  return typeof text === 'string' ? text : ''
}
