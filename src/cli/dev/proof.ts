// The proof: what a pod with a binding gets, and what one without it does not. Each pod is a process of its own with the unmodified AWS
// SDK in it; the impostor is the reader's pod, copied word for word, but run as another ServiceAccount.
import { pods } from '#kube'
import { type Node, type Pod, runPod } from './kubelet.ts'
import type { Screen } from './screen.ts'
import { until } from './until.ts'
import { type DevCluster, type DevWorld, region } from './world.ts'

export const dataBucket = 'vouch-demo-data'
export const dataKey = 'hello.txt'
export const dataText = 'hello from the other side\n'
const namespace = 'demo'
const image = 'public.ecr.aws/aws-cli/aws-cli:2.31.0'

export interface Delivery {
  readonly cluster: DevCluster
  /** For people: how identity comes to this cluster. */
  readonly how: string
  /** What the webhook must have put into the reader's environment. */
  readonly variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' | 'AWS_CONTAINER_CREDENTIALS_FULL_URI'
}

/** True when all that should be read was read, and all else refused. */
export async function proveDeliveries(world: DevWorld, screen: Screen, deliveries: readonly Delivery[]): Promise<boolean> {
  const results = await Promise.all(deliveries.map(delivery => proveDelivery(world, screen, delivery)))
  return results.every(Boolean)
}

async function proveDelivery(world: DevWorld, screen: Screen, delivery: Delivery): Promise<boolean> {
  const reader = await podNamed(delivery.cluster, 'reader')
  const node = nodeOf(world, delivery.cluster)
  if (variableOf(reader, delivery.variable) === undefined) {
    screen.line('failed', `${delivery.cluster.name}: pod reader was admitted without ${delivery.variable}`)
    return false
  }
  const [read, refused] = await Promise.all([
    proveReader(node, screen, delivery, reader),
    refuseImpostor(world, node, screen, delivery, reader),
  ])
  return read && refused
}

async function proveReader(node: Node, screen: Screen, { cluster, how }: Delivery, reader: Pod): Promise<boolean> {
  const { code, stdout, stderr } = await runPod(node, reader)
  if (code !== 0 || text(stdout) !== dataText) {
    screen.line('failed', `${cluster.name}: pod reader could not read the object: ${text(stderr) || `exit code ${code}`}`)
    return false
  }
  screen.line('proven', `${cluster.name}: pod reader read s3://${dataBucket}/${dataKey} (${how})`)
  return true
}

/** The copy keeps the reader's environment and volumes, so that nothing but its ServiceAccount speaks against it. */
async function refuseImpostor(world: DevWorld, node: Node, screen: Screen, delivery: Delivery, reader: Pod): Promise<boolean> {
  const { cluster } = delivery
  const stranger = await podNamed(cluster, 'stranger')
  const given = stranger.spec.containers[0]?.env?.filter(({ name }) => name.startsWith('AWS_')) ?? []
  const { volumes, containers } = reader.spec
  const copied = (stranger.spec.volumes ?? []).length === 0 ? volumes : [...(stranger.spec.volumes ?? []), ...(volumes ?? [])]
  const impostor: Pod = { ...stranger, spec: { ...stranger.spec, volumes: copied ?? [], containers } }
  const { code, stderr } = await runPod(node, impostor)
  const reason = text(stderr)
  if (code === 0 || given.length > 0) {
    screen.line('failed', `${cluster.name}: pod stranger got what it must not have`)
    return false
  }
  screen.line('refused', `${cluster.name}: pod stranger, dressed up as reader: ${plain(reason)}`)
  screen.line('hint', `the link that did not hold: ${brokenLink(world, delivery, reason)}`)
  return true
}

function brokenLink({ aws, agentRefusals }: DevWorld, { variable }: Delivery, reason: string): string {
  if (variable === 'AWS_CONTAINER_CREDENTIALS_FULL_URI') return `EKS Auth: ${agentRefusals[0] ?? 'it was not asked'}`
  const request = /\[request ([^\]]+)\]/.exec(reason)?.[1] ?? ''
  const broken = aws.explain(request)?.steps.find(step => !step.holds)
  return broken === undefined ? 'AWS was not asked' : `${broken.link}: ${broken.detail}`
}

/** The program in a container's image is this one, under another command. */
function nodeOf({ awsAddress, folder, seams }: DevWorld, { name, kube }: DevCluster): Node {
  const program = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    process.argv[1] as string,
    'aws-cli-stand-in',
  ] as const
  return {
    kube,
    programs: seams.programs,
    folder: `${folder}/nodes/${name}`,
    images: { [image]: program },
    // These nodes have no instance metadata; a chain that comes that far need not wait for it.
    network: { AWS_ENDPOINT_URL: awsAddress, AWS_REGION: region, AWS_EC2_METADATA_DISABLED: 'true' },
  }
}

async function podNamed({ kube, name: cluster }: DevCluster, name: string): Promise<Pod> {
  await until(async () => (await kube.find(pods, { namespace, name })) !== undefined, `pod ${name} in cluster ${cluster}`)
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
