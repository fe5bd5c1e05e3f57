// What the operators find around them in the embedded world: credentials of its AWS account and no others, AWS itself in this process, the
// files that their manifests would mount, and the helper program by which an inventory lets them into clusters.
import { type Environment, type Files, memberAt, type Net, type Programs, readJson, type Seams, silentLog } from '#base'
import type { KubeObject } from '#kube'
import type { OperatorNeeds } from '#runtime'
import { filesAsInstalled } from '../operator/installed.ts'
import { account, type DevWorld, region } from './world.ts'

const apiVersion = 'client.authentication.k8s.io/v1'
/** No program of that name is ever started: `credentialsProgram` answers for it. */
const command = 'credentials-of-dev-clusters'

const execConfig = { command, apiVersion, provideClusterInfo: true }

/** What stands in files that flags of operators name, by flag: what an installation would put there, with the way into our clusters. */
export function filesOfFlags(): Readonly<Record<string, string>> {
  const providers = [{ name: 'open-cluster-management', execConfig }]
  return { ...filesAsInstalled(), 'clusterprofile-provider-file': JSON.stringify({ providers }) }
}

/** An environment without anything of the person's own, which may name a real account of AWS. */
export function environmentOf({ aws }: DevWorld): Environment {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials(account)
  return { AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
}

export function seamsOf(world: DevWorld, needs: readonly OperatorNeeds[]): Seams {
  const { seams, hub, edge, prod, stage } = world
  return {
    ...seams,
    log: silentLog,
    env: environmentOf(world),
    net: netOf(world),
    files: filesOf(seams.files, needs),
    programs: credentialsProgram([hub, edge, prod, stage]),
  }
}

/** AWS answers in this process; everything else is dialled. */
function netOf({ seams: { net }, aws }: DevWorld): Net {
  return {
    listen: (options, handler) => net.listen(options, handler),
    dial: options =>
      new URL(options.origin).hostname.endsWith('.amazonaws.com')
        ? { exchange: aws.handle, close: async () => {} }
        : net.dial(options),
  }
}

/** Files that the manifests mount are read from the paths at which they would be mounted. */
function filesOf(files: Files, needs: readonly OperatorNeeds[]): Files {
  const mounted = new Map(needs.flatMap(mountedFiles))
  return {
    ...files,
    read: async path => {
      const text = mounted.get(path)
      return text === undefined ? await files.read(path) : new TextEncoder().encode(text)
    },
  }
}

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }

export function mountedFiles({
  mounts,
  objects,
}: Pick<OperatorNeeds, 'mounts' | 'objects'>): readonly (readonly [path: string, text: string])[] {
  return mounts.flatMap(({ mountPath, configMap }) => {
    const found: ConfigMap | undefined = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMap)
    return Object.entries(found?.data ?? {}).map(([key, text]) => [`${mountPath}/${key}`, text] as const)
  })
}

interface Reached {
  readonly address: string
  readonly server: { readonly adminToken: string }
}

/** The cluster is named by the address that the engine hands to a helper program. */
export function credentialsProgram(clusters: readonly Reached[]): Programs {
  return {
    run: async ({ command: asked, env }) => {
      const server = serverOf(env['KUBERNETES_EXEC_INFO'])
      const cluster = clusters.find(({ address }) => address === server)
      if (asked !== command || cluster === undefined) return { code: 1, ...output('', `${asked}: no cluster at ${server}`) }
      const status = { token: cluster.server.adminToken }
      return { code: 0, ...output(JSON.stringify({ kind: 'ExecCredential', apiVersion, status }), '') }
    },
  }
}

function serverOf(info = ''): string | undefined {
  const server = memberAt(readJson(info), 'spec', 'cluster', 'server')
  return typeof server === 'string' ? server : undefined
}

function output(stdout: string, stderr: string): { readonly stdout: Uint8Array; readonly stderr: Uint8Array } {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  return { stdout: bytes(stdout), stderr: bytes(stderr) }
}
