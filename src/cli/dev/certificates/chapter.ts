// The part of the story that is about certificates: a team writes two words, the record that proves the name is asked for by DNS, and the ARN
// comes to the Ingress. Nobody of the team has seen AWS.
import { Resolver } from 'node:dns/promises'
import { findCondition, type StoredObject } from '#kube'
import { type Cert, certKind, publishTypesDefault } from '#operators/certificates'
import { startOperatorOf } from '../operator-of-cluster.ts'
import { applyManifests, certificatesFolder, readManifest } from '../quickstart.ts'
import type { Screen } from '../screen.ts'
import { until } from '../until.ts'
import { account, type DevWorld, namesAccount } from '../world.ts'
import { makePlace, zoneName } from './place.ts'

const manifest = 'two-words.yaml'
const key = { namespace: 'default', name: 'shop' }
const arnAnnotation = 'alb.ingress.kubernetes.io/certificate-arn'
const told = { cluster: 'prod', object: { kind: 'Cert', name: key.name } }

/** True when the ARN stands in the Ingress. What it starts runs until the signal aborts, and ends with `running`. */
export async function tellCertificates(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
  running: Promise<unknown>[],
): Promise<boolean> {
  screen.chapter('certificates', 'The application team asks for a certificate in two words')
  const { prod } = world
  const place = await makePlace(world)
  screen.line('done', `account ${account} has the zone ${zoneName}, and example.com of account ${namesAccount} leads there`)
  const starting = startOperatorOf(world, { ...place, cluster: prod }, signal)
  const operator = await screen.during(() => 'the certificate operator starts', starting)
  running.push(operator.stopped)
  screen.line('done', 'the operator of Certs runs on prod, with the permissions that `vouch rights` prints', { cluster: 'prod' })
  const objects = await readManifest(manifest, certificatesFolder)
  screen.line('done', `kubectl apply --server-side -f ${manifest} (${objects.length} objects)`, { cluster: 'prod' })
  await applyManifests(prod.kube, objects)
  const asked: Asked = { world, screen, signal }
  return (await recordAnswers(asked)) && (await arnArrives(asked))
}

interface Asked {
  readonly world: DevWorld
  readonly screen: Screen
  readonly signal: AbortSignal
}

async function certOf({ world }: Asked): Promise<Cert> {
  return await world.prod.kube.get<Cert & StoredObject>(certKind.type, key)
}

async function waitFor(asked: Asked, what: string, holds: (cert: Cert) => Promise<boolean>): Promise<Cert> {
  const why = async (): Promise<string> => {
    const { status } = await certOf(asked)
    return findCondition(status?.conditions, 'Ready')?.message ?? 'no status yet'
  }
  const waited = until({ what, signal: asked.signal, why }, async () => await holds(await certOf(asked)))
  await asked.screen.during(() => what, waited)
  return await certOf(asked)
}

/** Whether the validation record is found over a socket: in the name server of all zones, beginning at the zone of the other account. */
async function recordAnswers(asked: Asked): Promise<boolean> {
  const { dnsPort } = asked.world
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${dnsPort}`])
  const answer = async ({ name }: { readonly name: string }): Promise<readonly string[]> =>
    await resolver.resolveCname(name.replace(/\.$/, '')).catch((): string[] => [])
  const { status } = await waitFor(asked, 'the record that proves the name is in the DNS', async ({ status }) => {
    const [record] = status?.validationRecords ?? []
    return record !== undefined && (await answer(record)).includes(record.value.replace(/\.$/, ''))
  })
  const [record] = status?.validationRecords ?? []
  asked.screen.line('proven', `dig @127.0.0.1 -p ${dnsPort} ${record?.name} CNAME  ->  ${record?.value}`, told)
  return true
}

async function arnArrives(asked: Asked): Promise<boolean> {
  const { screen, world } = asked
  const published = async (): Promise<string | undefined> =>
    (await world.prod.kube.get<StoredObject>(publishTypesDefault.Ingress, key)).metadata.annotations?.[arnAnnotation]
  const { status } = await waitFor(
    asked,
    'the certificate is issued, and its ARN in the Ingress',
    async ({ status: now }) => now?.certReady === true && (await published()) === now.certificateArn,
  )
  screen.line('proven', `a certificate for ${status?.domainName}, until ${status?.expirationDate}`, {
    ...told,
    conditions: ['Ready'],
  })
  screen.line('proven', `Ingress shop has ${await published()}, and nobody of the team has seen AWS`, {
    cluster: 'prod',
    object: { kind: 'Ingress', name: key.name },
  })
  return true
}
