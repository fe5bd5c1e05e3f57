// A webhook as a container of the kube-apiserver pod, with its two volumes (§4.6): what the platform's own builder gives for the same input.
import { type HostedChoices, platformPorts } from './choices.ts'
import type { SidecarInput } from './platform.ts'
import { providers, type SidecarProvider } from './provider.ts'
import { tlsFlagsOf } from './tls-profile.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number; readonly scheme: 'HTTP' }
  readonly initialDelaySeconds?: number
  readonly periodSeconds: number
  readonly failureThreshold?: number
}

export interface SidecarContainer {
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly resources: { readonly requests: Readonly<Record<string, string>> }
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly imagePullPolicy: string
  readonly securityContext?: { readonly readOnlyRootFilesystem: boolean }
  readonly terminationMessagePolicy?: string
}

export interface SecretVolume {
  readonly name: string
  readonly secret: { readonly secretName: string; readonly defaultMode?: number }
}

export interface Sidecar {
  readonly container: SidecarContainer
  readonly volumes: readonly SecretVolume[]
}

const certsPath = '/var/run/app/certs'
const kubeconfigPath = '/var/run/app/kubeconfig'

export function buildSidecar(
  input: SidecarInput,
  image: string,
  choices: Pick<HostedChoices, 'azureWaitScript' | 'ports'>,
): Sidecar {
  const provider = providers[input.cloud]
  const container: SidecarContainer = {
    name: provider.name,
    image,
    ...(input.cloud === 'AWS' ? awsPart(input, choices) : azurePart(input, choices)),
    resources: { requests: { cpu: '10m', memory: '25Mi' } },
    volumeMounts: [
      { name: provider.servingVolume, mountPath: certsPath },
      { name: provider.kubeconfigVolume, mountPath: kubeconfigPath },
    ],
    imagePullPolicy: 'IfNotPresent',
  }
  return { container, volumes: volumesOf(provider) }
}

function volumesOf(provider: SidecarProvider): readonly SecretVolume[] {
  return [
    { name: provider.servingVolume, secret: { secretName: provider.servingSecret } },
    { name: provider.kubeconfigVolume, secret: { secretName: provider.kubeconfigSecret } },
  ]
}

type CloudPart = Omit<SidecarContainer, 'name' | 'image' | 'resources' | 'volumeMounts' | 'imagePullPolicy'>

function awsPart(
  { region, tlsProfile }: Extract<SidecarInput, { cloud: 'AWS' }>,
  { ports }: Pick<HostedChoices, 'ports'>,
): CloudPart {
  const { minVersion, cipherSuites } = tlsFlagsOf(tlsProfile)
  return {
    command: [
      `/usr/bin/${providers.AWS.name}`,
      '--annotation-prefix=eks.amazonaws.com',
      '--in-cluster=false',
      `--kubeconfig=${kubeconfigPath}/kubeconfig`,
      '--logtostderr',
      `--port=${ports.aws}`,
      `--aws-default-region=${region}`,
      `--tls-cert=${certsPath}/tls.crt`,
      `--tls-key=${certsPath}/tls.key`,
      // The audience with which the issuer of a hosted cluster is known to IAM.
      '--token-audience=openshift',
      ...given('--tls-min-version', minVersion),
      ...given('--tls-cipher-suites', cipherSuites),
    ],
  }
}

function azurePart(
  { port, tenantId, azureCloud, tlsProfile }: Extract<SidecarInput, { cloud: 'Azure' }>,
  { azureWaitScript, ports }: Pick<HostedChoices, 'azureWaitScript' | 'ports'>,
): CloudPart {
  const { minVersion, cipherSuites } = tlsFlagsOf(tlsProfile)
  const program = [
    `/usr/bin/${providers.Azure.name}`,
    `--webhook-cert-dir=${certsPath}`,
    `--health-addr=:${ports.azureHealth}`,
    '--audience=api://AzureADTokenExchange',
    `--kubeconfig=${kubeconfigPath}/kubeconfig`,
    `--metrics-addr=:${ports.azureMetrics}`,
    '--log-level=info',
    ...given('--tls-cipher-suites', cipherSuites),
    ...given('--tls-min-version', minVersion),
    ...(ports.azure === platformPorts.azure ? [] : [`--port=${ports.azure}`]),
    '--disable-cert-rotation',
  ]
  const probe = (path: string): Pick<Probe, 'httpGet'> => ({ httpGet: { path, port: ports.azureHealth, scheme: 'HTTP' } })
  return {
    ...(azureWaitScript ? { command: ['/bin/sh', '-ec'], args: [waitScript(port, program)] } : { command: program }),
    env: [variable('AZURE_TENANT_ID', tenantId), variable('AZURE_ENVIRONMENT', azureCloud)],
    livenessProbe: { ...probe('/healthz'), periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 5, periodSeconds: 10 },
    startupProbe: { ...probe('/healthz'), periodSeconds: 10, failureThreshold: 30 },
  }
}

/** An empty value is stored as none. */
function variable(name: string, value: string): { readonly name: string; readonly value?: string } {
  return value === '' ? { name } : { name, value }
}

function given(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${flag}=${value}`]
}

/** Upstream's program ends where no API server answers; ours tries again, and needs neither a shell nor curl in its image. */
function waitScript(port: number, program: readonly string[]): string {
  return [
    'set -u',
    `until curl -kfsS "https://localhost:${port}/version" >/dev/null; do`,
    '  echo "waiting for kube-apiserver /version endpoint to become available"',
    '  sleep 2',
    'done',
    `exec ${program.join(' \\\n  ')}`,
    '',
  ].join('\n')
}
