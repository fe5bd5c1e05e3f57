// The last part of the story: a cluster whose API server is hosted on the hub, on Azure. Its pod reads a secret of a Key Vault with the
// unmodified SDK; a stranger who copied all that the pod has is refused by Entra.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type KubeObject, pods } from '#kube'
import { guestCondition, sidecarCondition } from '#operators/hosted'
import { type Node, runPod } from '../kubelet.ts'
import { openGateway, type Pod } from '../node/index.ts'
import { applyManifests, hostedFolder, readManifest, readManifests } from '../quickstart.ts'
import type { Screen } from '../screen.ts'
import { until } from '../until.ts'
import type { DevWorld } from '../world.ts'
import { openStoryAzure, secretText } from './azure.ts'
import { type Guest, openGuest, platformCrd, platformObjects, publishIssuer } from './guest.ts'
import { runHostedOperator, startSidecar, untilInPlace } from './operator.ts'

/** The tenant that the example's control plane names. */
const tenant = '11111111-2222-4333-8444-555555555555'
const namespace = 'demo'
const image = 'example.com/read-secret:1'
const program = join(hostedFolder, 'read-secret.mjs')

/** True when every pod came to what the story promises. What it starts runs until the signal aborts, and ends with `running`. */
export async function tellHosted(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
  running: Promise<unknown>[],
): Promise<boolean> {
  if (!hasSdk()) return true
  screen.chapter('hosted', 'A cluster whose API server is hosted on the hub, on Azure')
  const guest = await openGuest(world.seams)
  const subject = `system:serviceaccount:${namespace}:reader`
  const { entra, clientId } = await openStoryAzure({ tenant, issuer: guest.issuer, subject }, azure =>
    publishIssuer(azure, guest),
  )
  const listener = await entra.listen()
  const gateway = await openGateway(() => listener.port)
  running.push(ended(signal).then(() => Promise.all([gateway.close(), entra.close(), guest.server.close()])))
  screen.line('done', `an identity trusts ${subject} of ${guest.issuer}, and may read one vault`, { cluster: 'Azure' })
  await applyManifests(world.hub.kube, [platformCrd])
  await applyManifests(world.hub.kube, await readManifest('control-plane.yaml', hostedFolder))
  await applyManifests(world.hub.kube, await platformObjects(world.seams, guest))
  screen.line('done', 'kubectl apply --server-side -f control-plane.yaml, and what a platform makes beside it', {
    cluster: 'hub',
  })
  running.push(runHostedOperator(world, guest, signal))
  await screen.during(() => 'the sidecar and what its guest needs', untilInPlace(world, signal))
  const plane = { cluster: 'hub', object: { kind: 'HostedControlPlane', name: 'blue' } }
  screen.line('proven', `HostedControlPlane blue: ${sidecarCondition}, ${guestCondition}`, plane)
  await startSidecar(world, guest, { screen, signal, running })
  for (const { name, objects } of await readManifests('clusters', hostedFolder)) {
    screen.line('done', `kubectl apply --server-side -f ${name} (${objects.length} objects)`, { cluster: 'blue' })
    await applyManifests(
      guest.kube,
      objects.map(object => withClientId(object, clientId)),
    )
  }
  const node = await openNode(world, guest, { ca: entra.ca, proxy: gateway.url, signal })
  const [reader, stranger] = await Promise.all(['reader', 'stranger'].map(name => podNamed(guest.kube, name, signal)))
  if (reader === undefined || stranger === undefined) return false
  tellGiven(reader, screen)
  const proofs = Promise.all([proveReader(node, reader, screen), refuseStranger(node, { reader, stranger }, screen)])
  const told = await screen.during(() => 'two processes load the SDK of Azure and sign in', proofs)
  return told.map(tell => tell()).every(Boolean)
}

/** A node of the guest: its way out leads names of Azure to this process; what signs in is told nothing. */
async function openNode(
  { folder, seams }: DevWorld,
  guest: Guest,
  { ca, proxy, signal }: { readonly ca: string; readonly proxy: string; readonly signal: AbortSignal },
): Promise<Node> {
  const authority = join(folder, 'azure-ca.pem')
  await mkdir(folder, { recursive: true })
  await writeFile(authority, ca, { mode: 0o600 })
  return {
    kube: guest.kube,
    programs: seams.programs,
    signal,
    folder: join(folder, 'nodes', 'blue'),
    images: { [image]: [process.execPath, '--disable-warning=ExperimentalWarning', program] },
    network: { HTTPS_PROXY: proxy, NODE_EXTRA_CA_CERTS: authority, PATH: seams.env['PATH'] ?? '' },
  }
}

/** Whether Azure's SDK is there: only a checkout has it, and the published package skips this part of the story. */
function hasSdk(): boolean {
  if (!existsSync(program)) return false
  try {
    createRequire(program).resolve('@azure/identity')
    return true
  } catch {
    return false
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Writes the client id of the identity into the object, as a person would do by hand. */
function withClientId(object: KubeObject, clientId: string): KubeObject {
  const { annotations } = object.metadata
  const name = 'azure.workload.identity/client-id'
  if (annotations?.[name] === undefined) return object
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [name]: clientId } } }
}

async function podNamed(kube: Node['kube'], name: string, signal: AbortSignal): Promise<Pod> {
  const key = { namespace, name }
  await until({ what: `pod ${name}`, signal }, async () => (await kube.find(pods, key)) !== undefined)
  return await kube.get<Pod>(pods, key)
}

/** What the sidecar put into the pod. */
function tellGiven({ spec }: Pod, screen: Screen): void {
  const given = (spec.containers[0]?.env ?? []).map(({ name }) => name).filter(name => name.startsWith('AZURE_'))
  screen.line('done', `pod reader was given a token and ${given.join(', ')}`, {
    cluster: 'blue',
    object: { kind: 'Pod', name: 'reader' },
  })
}

/** What a pod came to, told when both are there, so that the story has one order. */
type Told = () => boolean

async function proveReader(node: Node, reader: Pod, screen: Screen): Promise<Told> {
  const { stdout, stderr } = await runPod(node, reader)
  const told = { cluster: 'blue', object: { kind: 'Pod', name: 'reader' } }
  const held = text(stdout) === secretText
  return () => {
    if (held)
      screen.line('proven', 'pod reader read secret password of vault orders-vault, with the unmodified @azure/identity', told)
    else screen.line('failed', `pod reader could not read the secret: ${text(stderr)}`, told)
    return held
  }
}

/** The copy keeps the reader's environment and volumes, so that nothing but its ServiceAccount speaks against it. */
async function refuseStranger(
  node: Node,
  { reader, stranger }: { readonly reader: Pod; readonly stranger: Pod },
  screen: Screen,
): Promise<Told> {
  const { volumes = [], containers } = reader.spec
  const copy: Pod = { ...stranger, spec: { ...stranger.spec, volumes, containers } }
  const { code, stderr } = await runPod(node, copy)
  const told = { cluster: 'blue', object: { kind: 'Pod', name: 'stranger' } }
  const reason = /AADSTS700213: .*? subject '[^']*'/.exec(text(stderr))?.[0] ?? ''
  const [trusted, own] = ['reader', 'stranger'].map(name => `system:serviceaccount:${namespace}:${name}`)
  const isRefused = code !== 0 && reason.includes(`'${own}'`)
  return () => {
    if (isRefused) {
      screen.line('refused', `pod stranger was refused: ${reason}`, told)
      const link = `the identity's federated credential wants subject [${trusted}], the token has [${own}]`
      screen.line('hint', `the link that did not hold: ${link}`, told)
    } else screen.line('failed', `pod stranger was not refused as it has to be: ${text(stderr)}`, told)
    return isRefused
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim()
}
