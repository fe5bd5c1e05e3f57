// Specs of pods, and templates of pods. The server's type keeps what a pod shares with its host in the security context.
import { type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { objectOf } from '../checks.ts'
import {
  appArmorProfile,
  container,
  laterContainer,
  resources,
  seccompProfile,
  seLinuxOptions,
  windowsOptions,
} from './containers.ts'
import { type FormShape, formChange, formOf, sameForms } from './form.ts'
import { affinity, spread, toleration } from './placement.ts'
import { localReference, podVolume } from './volumes.ts'

const hostFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const

const security: FormShape = {
  HostNetwork: ['hostNetwork', false],
  HostPID: ['hostPID', false],
  HostIPC: ['hostIPC', false],
  ShareProcessNamespace: ['shareProcessNamespace', null],
  HostUsers: ['hostUsers', null],
  SELinuxOptions: seLinuxOptions,
  WindowsOptions: windowsOptions,
  RunAsUser: ['runAsUser', null],
  RunAsGroup: ['runAsGroup', null],
  RunAsNonRoot: ['runAsNonRoot', null],
  SupplementalGroups: ['supplementalGroups', null],
  SupplementalGroupsPolicy: ['supplementalGroupsPolicy', null],
  FSGroup: ['fsGroup', null],
  FSGroupChangePolicy: ['fsGroupChangePolicy', null],
  Sysctls: ['sysctls', null, { Name: ['name', ''], Value: ['value', ''] }],
  SeccompProfile: seccompProfile,
  AppArmorProfile: appArmorProfile,
  SELinuxChangePolicy: ['seLinuxChangePolicy', null],
}

const dns: FormShape = {
  Nameservers: ['nameservers', null],
  Searches: ['searches', null],
  Options: ['options', null, { Name: ['name', ''], Value: ['value', null] }],
}

export const deviceClaim: FormShape = {
  Name: ['name', ''],
  ResourceClaimName: ['resourceClaimName', null],
  ResourceClaimTemplateName: ['resourceClaimTemplateName', null],
}

const podSpec: FormShape = {
  Volumes: ['volumes', null, podVolume],
  InitContainers: ['initContainers', null, container],
  Containers: ['containers', null, container],
  EphemeralContainers: ['ephemeralContainers', null, laterContainer],
  RestartPolicy: ['restartPolicy', ''],
  TerminationGracePeriodSeconds: ['terminationGracePeriodSeconds', null],
  ActiveDeadlineSeconds: ['activeDeadlineSeconds', null],
  DNSPolicy: ['dnsPolicy', ''],
  NodeSelector: ['nodeSelector', null, 'names'],
  ServiceAccountName: ['serviceAccountName', ''],
  AutomountServiceAccountToken: ['automountServiceAccountToken', null],
  NodeName: ['nodeName', ''],
  SecurityContext: ['securityContext', null, security],
  ImagePullSecrets: ['imagePullSecrets', null, localReference],
  Hostname: ['hostname', ''],
  Subdomain: ['subdomain', ''],
  SetHostnameAsFQDN: ['setHostnameAsFQDN', null],
  Affinity: ['affinity', null, affinity],
  SchedulerName: ['schedulerName', ''],
  Tolerations: ['tolerations', null, toleration],
  HostAliases: ['hostAliases', null, { IP: ['ip', ''], Hostnames: ['hostnames', null] }],
  PriorityClassName: ['priorityClassName', ''],
  Priority: ['priority', null],
  PreemptionPolicy: ['preemptionPolicy', null],
  DNSConfig: ['dnsConfig', null, dns],
  ReadinessGates: ['readinessGates', null, { ConditionType: ['conditionType', ''] }],
  RuntimeClassName: ['runtimeClassName', null],
  Overhead: ['overhead', null, 'amounts'],
  EnableServiceLinks: ['enableServiceLinks', null],
  TopologySpreadConstraints: ['topologySpreadConstraints', null, spread],
  OS: ['os', null, { Name: ['name', ''] }],
  SchedulingGates: ['schedulingGates', null, { Name: ['name', ''] }],
  ResourceClaims: ['resourceClaims', null, deviceClaim],
  Resources: ['resources', null, resources],
  // A gate keeps this away.
  HostnameOverride: ['hostnameOverride', null],
}

const podTemplate: FormShape = { '': ['metadata', {}, 'metadata'], Spec: ['spec', {}, podSpec] }

function asHeld(spec: JsonObject): JsonObject {
  const shared = hostFields.flatMap((field): [string, Json][] => (spec[field] === undefined ? [] : [[field, spec[field]]]))
  return { ...spec, securityContext: { ...objectOf(spec.securityContext), ...Object.fromEntries(shared) } }
}

export function samePodSpecs(one: JsonObject, other: JsonObject): boolean {
  return jsonEqual(one, other) || sameForms(asHeld(one), asHeld(other), podSpec)
}

export function podSpecChange(before: JsonObject, now: JsonObject): string {
  return formChange(asHeld(before), asHeld(now), podSpec)
}

export function sameLaterContainers(one: JsonObject, other: JsonObject): boolean {
  return jsonEqual(one, other) || sameForms(one, other, laterContainer)
}

export function laterContainerChange(before: JsonObject, now: JsonObject): string {
  return formChange(before, now, laterContainer)
}

function asHeldTemplate(template: Json | undefined): JsonObject {
  const { spec, ...rest } = objectOf(template)
  return { ...rest, spec: asHeld(objectOf(spec)) }
}

export function sameTemplates(one: Json | undefined, other: Json | undefined): boolean {
  return jsonEqual(one ?? null, other ?? null) || sameForms(asHeldTemplate(one), asHeldTemplate(other), podTemplate)
}

/** Undefined when it is too long to be shown. */
export function templateForm(template: Json | undefined): JsonObject | undefined {
  return formOf(asHeldTemplate(template), podTemplate)
}
