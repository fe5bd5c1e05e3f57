// The proof: what a pod with a binding gets, and what one without it does not. Each pod is a process of its own with the unmodified AWS
// SDK in it; the impostor is the reader's pod, copied word for word, but run as another ServiceAccount.
import { pods } from '#kube'
import { type Node, runPod } from './kubelet.ts'
import type { Pod } from './node/index.ts'
import type { Screen, StepOutcome } from './screen.ts'
import { until } from './until.ts'
import { type DevCluster, type DevWorld, region } from './world.ts'

export const dataBucket = 'vouch-demo-data'
export const dataKey = 'hello.txt'
export const dataText = 'hello from the other side\n'
const namespace = 'demo'
const image = 'public.ecr.aws/aws-cli/aws-cli:2.31.0'

export interface Delivery {
  readonly cluster: DevCluster
  /** How identity comes to this cluster, in words for people. */
  readonly how: string
  /** What the webhook must have put into the reader's environment. */
  readonly variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' | 'AWS_CONTAINER_CREDENTIALS_FULL_URI'
}

export interface Stage {
  readonly world: DevWorld
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** What one pod of the proof came to; told when those before it are told, so that the story has one order. */
type Told = () => boolean

/** True when all that should be read was read, and all else refused. All processes run at the same time. */
export async function proveDeliveries(stage: Stage, deliveries: readonly Delivery[]): Promise<boolean> {
  const results = deliveries.flatMap(delivery => proofsOf(stage, delivery))
  // A failure of one pod while another is waited for is not lost: it is thrown when that pod's turn comes.
  for (const result of results) result.catch(() => {})
  let ended = 0
  for (const result of results) result.then(() => ended++).catch(() => {})
  const waited = (): string => `${ended} of ${results.length} processes have ended; each loads the AWS SDK and asks for its role`
  let held = true
  for (const result of results) held = (await stage.screen.during(waited, result))() && held
  return held
}

function proofsOf(stage: Stage, delivery: Delivery): readonly Promise<Told>[] {
  const reader = podNamed(delivery.cluster, 'reader', stage.signal)
  const node = nodeOf(stage.world, delivery.cluster, stage.signal)
  return [
    reader.then(pod => proveReader(node, stage, delivery, pod)),
    reader.then(pod => refuseImpostor(node, stage, delivery, pod)),
  ]
}

async function proveReader(node: Node, { screen }: Stage, { cluster, how, variable }: Delivery, reader: Pod): Promise<Told> {
  const say = (outcome: StepOutcome, text: string) => (): boolean => {
    screen.line(outcome, text, { cluster: cluster.name, object: { kind: 'Pod', name: 'reader' } })
    return outcome === 'proven'
  }
  if (variableOf(reader, variable) === undefined) return say('failed', `pod reader was admitted without ${variable}`)
  const { code, stdout, stderr } = await runPod(node, reader)
  return code === 0 && text(stdout) === dataText
    ? say('proven', `pod reader read s3://${dataBucket}/${dataKey} (${how})`)
    : say('failed', `pod reader could not read the object: ${text(stderr) || `exit code ${code}`}`)
}

/** The copy keeps the reader's environment and volumes, so that nothing but its ServiceAccount speaks against it. */
async function refuseImpostor(node: Node, { world, screen, signal }: Stage, delivery: Delivery, reader: Pod): Promise<Told> {
  const { cluster } = delivery
  const stranger = await podNamed(cluster, 'stranger', signal)
  const given = stranger.spec.containers[0]?.env?.filter(({ name }) => name.startsWith('AWS_')) ?? []
  const { volumes, containers } = reader.spec
  const copied = (stranger.spec.volumes ?? []).length === 0 ? volumes : [...(stranger.spec.volumes ?? []), ...(volumes ?? [])]
  const impostor: Pod = { ...stranger, spec: { ...stranger.spec, volumes: copied ?? [], containers } }
  const { code, stderr } = await runPod(node, impostor)
  const reason = text(stderr)
  const broken = brokenLink(world, delivery, reason)
  const isRefused = code !== 0 && given.length === 0
  return () => {
    const told = { cluster: cluster.name, object: { kind: 'Pod', name: 'stranger' } }
    if (isRefused) screen.line('refused', `pod stranger was refused: ${plain(reason)}`, told)
    else screen.line('failed', 'pod stranger got what it must not have', told)
    if (isRefused) screen.line('hint', `the link that did not hold: ${broken}`, told)
    return isRefused
  }
}

function brokenLink({ aws, agentRefusals }: DevWorld, { variable }: Delivery, reason: string): string {
  if (variable === 'AWS_CONTAINER_CREDENTIALS_FULL_URI') return `EKS Auth: ${agentRefusals[0] ?? 'it was not asked'}`
  const request = /\[request ([^\]]+)\]/.exec(reason)?.[1] ?? ''
  const broken = aws.explain(request)?.steps.find(step => !step.holds)
  return broken === undefined ? 'AWS was not asked' : `${broken.link}: ${broken.detail}`
}

/** The program in a container's image is this one, under another command. */
function nodeOf({ awsAddress, folder, seams }: DevWorld, { name, kube, server }: DevCluster, signal: AbortSignal): Node {
  const program = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    process.argv[1] as string,
    'aws-cli-stand-in',
  ] as const
  return {
    kube,
    programs: seams.programs,
    signal,
    folder: `${folder}/nodes/${name}`,
    images: { [image]: program },
    onPrinted: ({ metadata }, printed) =>
      server.printed({ namespace: metadata.namespace ?? namespace, name: metadata.name }, printed),
    // These nodes have no instance metadata; a chain that comes that far need not wait for it.
    network: { AWS_ENDPOINT_URL: awsAddress, AWS_REGION: region, AWS_EC2_METADATA_DISABLED: 'true' },
  }
}

async function podNamed({ kube, name: cluster }: DevCluster, name: string, signal: AbortSignal): Promise<Pod> {
  const isThere = async (): Promise<boolean> => (await kube.find(pods, { namespace, name })) !== undefined
  await until({ what: `pod ${name} in cluster ${cluster}`, signal }, isThere)
  return await kube.get<Pod>(pods, { namespace, name })
}

function variableOf(pod: Pod, name: string): string | undefined {
  return pod.spec.containers[0]?.env?.find(variable => variable.name === name)?.value
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function plain(reason: string): string {
  return reason
    .replace(/^fatal error: /, '')
    .replace(/ \[request [^\]]+\]/, '')
    .trim()
}
