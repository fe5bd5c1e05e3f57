// The Deployment of an object's operand: one container for each zone, and never two writers at once.
import { given } from '#base'
import type { KubeObject } from '#kube'
import { quote } from '#schema'
import { annotations, caKey, group, kindName, operandName, storageVersion, targetCaName } from '../api/names.ts'
import { domainFlags } from '../domains/filters.ts'
import { commonArgs, operandSource } from './arguments.ts'
import { containerNames } from './container-name.ts'
import { operandProvider, providerPart } from './provider-part.ts'
import type { EnvVar, OperandRequest, OperandVolume, ProviderPart, VolumeMount } from './request.ts'

export interface Container {
  readonly name: string
  readonly image?: string
  readonly args?: readonly string[]
  readonly env?: readonly EnvVar[]
  readonly volumeMounts?: readonly VolumeMount[]
  readonly securityContext?: SecurityContext
  readonly ports?: readonly object[]
  readonly resources?: object
  readonly [other: string]: unknown
}

export interface SecurityContext {
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] }
  readonly seccompProfile?: { readonly type?: string }
  readonly privileged?: boolean
  readonly runAsNonRoot?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly [other: string]: unknown
}

export interface PodSpec {
  readonly containers: readonly Container[]
  readonly volumes?: readonly OperandVolume[]
  readonly serviceAccountName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly object[]
  readonly [other: string]: unknown
}

export interface RollingUpdate {
  readonly maxSurge?: number | string
  readonly maxUnavailable?: number | string
}

export interface DeploymentSpec {
  readonly replicas?: number
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
  readonly strategy?: { readonly type?: string; readonly rollingUpdate?: RollingUpdate | null }
  readonly template: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
    readonly spec: PodSpec
  }
  readonly [other: string]: unknown
}

export interface DeploymentStatus {
  readonly availableReplicas?: number
  readonly conditions?: readonly StatusCondition[]
}

export interface StatusCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

export type Deployment = KubeObject & { readonly spec: DeploymentSpec; readonly status?: DeploymentStatus | null }

export type Built = { readonly deployment: Deployment } | { readonly problem: string }

export function buildDeployment(request: OperandRequest): Built {
  const { name, namespace, model } = request
  const containers = buildContainers(request)
  if ('problem' in containers) return containers
  const labels = podLabels(name)
  const part = providerPart(request)
  return {
    deployment: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: operandName(name), namespace, ownerReferences: [ownerOf(request)] },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels, annotations: podAnnotations(request) },
          spec: podSpec(request, containers.containers, part, model.spec.operand ?? {}),
        },
      },
    },
  }
}

export function podLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': name }
}

export function ownerOf({
  name,
  uid,
}: Pick<OperandRequest, 'name' | 'uid'>): NonNullable<KubeObject['metadata']['ownerReferences']>[number] {
  const apiVersion = `${group}/${storageVersion}`
  return { apiVersion, kind: kindName, name, uid, controller: true, blockOwnerDeletion: true }
}

function podAnnotations({ secret, trustedCaHash }: OperandRequest): Readonly<Record<string, string>> {
  const ca = trustedCaHash === undefined ? {} : { [annotations.trustedCaHash]: trustedCaHash }
  return { [annotations.credentialsHash]: secret.hash, ...ca }
}

function podSpec(
  { name, trustedCaHash }: OperandRequest,
  containers: readonly Container[],
  part: ProviderPart,
  operand: NonNullable<OperandRequest['model']['spec']['operand']>,
): PodSpec {
  const ca = { name: 'trusted-ca', configMap: { name: targetCaName, items: [{ key: caKey, path: 'tls-ca-bundle.pem' }] } }
  const volumes = [...(trustedCaHash === undefined ? [] : [ca]), ...part.volumes]
  const { nodeSelector = {}, tolerations = [], priorityClassName, imagePullSecrets } = operand
  return {
    serviceAccountName: operandName(name),
    nodeSelector: { 'kubernetes.io/os': 'linux', ...nodeSelector },
    tolerations: [...controlPlaneTolerations, ...tolerations],
    ...given({ priorityClassName, imagePullSecrets }),
    containers,
    ...(volumes.length === 0 ? {} : { volumes }),
  }
}

const controlPlaneTolerations = ['master', 'control-plane'].map(role => ({
  key: `node-role.kubernetes.io/${role}`,
  operator: 'Exists',
  effect: 'NoSchedule',
}))

/** What a container looks after, and what it is named for. */
interface ZonePlace {
  readonly zone: string
  readonly text: string
  readonly isPrivate: boolean
}

/** Without zones there is one container for all; Azure has two kinds of zones, and needs one container for each. */
function zonePlaces({ zones, model }: OperandRequest): readonly ZonePlace[] {
  const distinct = [...new Set(zones)]
  if (distinct.length > 0) return distinct.map(zone => ({ zone, text: zone, isPrivate: false }))
  const all = { zone: '', text: '', isPrivate: false }
  return model.spec.provider.type === 'Azure' ? [all, { zone: '', text: 'azure-private-dns', isPrivate: true }] : [all]
}

function buildContainers(request: OperandRequest): { readonly containers: readonly Container[] } | { readonly problem: string } {
  const { model, zones } = request
  const { provider, source, domains } = model.spec
  if (operandProvider(provider.type, '', false) === undefined) return { problem: `unsupported provider: ${quote(provider.type)}` }
  if (operandSource(model) === undefined) return { problem: `unsupported source type: ${quote(source.type)}` }
  const filters = domainFlags(domains)
  if ('problem' in filters) {
    const where = zones.length === 0 ? '' : ` for zone ${zones[0]}`
    return { problem: `failed to build container${where}: ${filters.problem}` }
  }
  const places = zonePlaces(request)
  const names = containerNames(places.map(({ text }) => text))
  const part = providerPart(request)
  const containers = places.map(({ zone, isPrivate }, index) => {
    const providerName = operandProvider(provider.type, zone, isPrivate) ?? ''
    const args = commonArgs(request, { zone, index, provider: providerName, domainFlags: filters.flags })
    return containerOf(request, names[index] ?? '', [...args, ...part.args, ...zoneRoleArgs(request, zone)], part)
  })
  return { containers }
}

/** Where the object names no role for all of its zones. */
function zoneRoleArgs({ zoneRoles }: OperandRequest, zone: string): readonly string[] {
  const role = zoneRoles[zone]
  return role === undefined ? [] : [`--aws-assume-role=${role}`]
}

function containerOf(request: OperandRequest, name: string, args: readonly string[], part: ProviderPart): Container {
  const { image, trustedCaHash, model } = request
  const ca = trustedCaHash !== undefined
  const folder = '/etc/pki/ca-trust/extracted/pem'
  const env = [...proxyEnv(request), ...(ca ? [{ name: 'SSL_CERT_DIR', value: folder }] : []), ...part.env]
  const mounts = [...(ca ? [{ name: 'trusted-ca', mountPath: folder, readOnly: true }] : []), ...part.mounts]
  const { resources } = model.spec.operand ?? {}
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    args: args.map(argument => literal(argument, env)),
    ...(env.length === 0 ? {} : { env }),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    ...given({ resources }),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  }
}

/** The kubelet puts the value of a variable where `$(NAME)` stands, and an author could have a password become a name in DNS. */
function literal(argument: string, env: readonly EnvVar[]): string {
  return env.reduce((text, { name }) => text.replaceAll(new RegExp(`\\$+(?=\\(${name}\\))`, 'g'), run => run.repeat(2)), argument)
}

function proxyEnv({ proxy, model }: OperandRequest): readonly EnvVar[] {
  if (model.spec.provider.type === 'BlueCat') return []
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap(name => {
    const value = proxy[name] ?? ''
    return value === '' ? [] : [{ name, value }]
  })
}
