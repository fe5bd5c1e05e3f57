// Pods and pod templates.
import { dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, qualifiedKeys, say, text } from '../checks.ts'
import { checkNetworkPorts } from './container-ports.ts'
import { checkResources } from './container-resources.ts'
import { checkContainers, checkImageText } from './containers.ts'
import { checkDeviceClaims } from './device-claims.ts'
import { checkAnnotationChange, checkPodAnnotations } from './pod-annotations.ts'
import { checkLaterContainers, checkResize, unextendable, unresizable } from './pod-changes.ts'
import { checkDns, checkHostAliases, checkOwnUsers, checkPodSecurity } from './pod-host.ts'
import { checkAffinity, checkSpreads, checkToleration } from './pod-placement.ts'
import { checkPodStatus } from './pod-status.ts'
import { checkHostPrograms, checkSystem } from './pod-systems.ts'
import { checkPodUpdate } from './pod-updates.ts'
import { checkVolumes } from './volumes/volumes.ts'

export function validatePod(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  // A real server binds a pod to whatever it is told.
  if (subresource === 'binding') return []
  const unfit = old === undefined ? [] : unchangeable(old, subresource ?? '')
  if (unfit.length > 0) return unfit
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const { annotations } = objectOf(object.metadata)
  const isStatus = subresource === 'status'
  if (!isStatus) checkPodAnnotations(annotations, spec, 'metadata.annotations', errors)
  checkPodSpec(spec, 'spec', errors, text(objectOf(object.metadata).name))
  for (const list of ['containers', 'initContainers'])
    eachItem(spec[list], `spec.${list}`, (container, at) => checkImageText(container, at, errors))
  if (old === undefined && listOf(spec.ephemeralContainers).length > 0)
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'))
  if (old !== undefined && (isStatus || (subresource ?? '') === '')) {
    // A change is told again of all that is wrong with the annotations.
    checkAnnotationChange(annotations, objectOf(old.metadata).annotations, errors)
    checkPodAnnotations(annotations, spec, 'metadata.annotations', errors)
  }
  if (old !== undefined) checkChange(spec, objectOf(old.spec), subresource ?? '', errors)
  if (old !== undefined && subresource === 'resize') checkResize(object, old, errors)
  if (old !== undefined && isStatus) checkPodStatus(object, old, errors)
  return errors
}

function unchangeable(old: JsonObject, subresource: string): Errors {
  if (subresource === 'resize') return unresizable(old)
  return subresource === 'ephemeralcontainers' ? unextendable(old) : []
}

export function validatePodTemplate({ template }: JsonObject): Errors {
  const errors: Errors = []
  checkTemplate(template, 'template', errors)
  return errors
}

function checkChange(spec: JsonObject, old: JsonObject, subresource: string, errors: Errors): void {
  if (subresource === '') checkPodUpdate(spec, old, errors)
  if (subresource === 'ephemeralcontainers') checkLaterContainers(spec, old, errors)
}

export function checkTemplate(template: Json | undefined, at: string, errors: Errors): void {
  const value = objectOf(template)
  const { labels, annotations } = objectOf(value.metadata)
  // A real server names these without the metadata that they stand in.
  qualifiedKeys(labels, `${at}.labels`, errors)
  for (const key of Object.keys(objectOf(annotations))) {
    say(errors, `${at}.annotations`, key, qualifiedNameErrors(key.toLowerCase()))
  }
  const spec = objectOf(value.spec)
  checkPodAnnotations(annotations, spec, `${at}.annotations`, errors)
  checkPodSpec(spec, `${at}.spec`, errors)
  if (listOf(spec.ephemeralContainers).length > 0)
    errors.push(fieldError.forbidden(`${at}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'))
}

/** Not every owner can have its pods end. */
export function checkRestarts(template: Json | undefined, at: string, allowed: readonly string[], errors: Errors): void {
  oneOf(objectOf(objectOf(template).spec).restartPolicy, `${at}.spec.restartPolicy`, allowed, errors)
}

/** In the order in which a real server looks at it. */
function checkPodSpec(spec: JsonObject, at: string, errors: Errors, podName = ''): void {
  const volumes = checkVolumes(spec.volumes, `${at}.volumes`, errors, podName)
  checkDeviceClaims(spec.resourceClaims, `${at}.resourceClaims`, errors)
  checkContainers(spec, at, volumes, errors)
  if (spec.hostNetwork === true) checkNetworkPorts(spec.containers, `${at}.containers`, errors)
  oneOf(spec.restartPolicy, `${at}.restartPolicy`, ['Always', 'OnFailure', 'Never'], errors)
  oneOf(spec.dnsPolicy, `${at}.dnsPolicy`, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], errors)
  qualifiedKeys(spec.nodeSelector, `${at}.nodeSelector`, errors)
  checkPodSecurity(spec, `${at}.securityContext`, errors)
  checkAffinity(spec.affinity, `${at}.affinity`, errors)
  checkDns(spec, at, errors)
  checkGates(spec, at, errors)
  checkSpreads(spec.topologySpreadConstraints, `${at}.topologySpreadConstraints`, errors)
  checkHostPrograms(spec, at, errors)
  checkOwnUsers(spec, at, errors)
  checkIdentity(spec, at, errors)
  eachItem(spec.tolerations, `${at}.tolerations`, (toleration, path) => checkToleration(toleration, path, errors))
  checkHostAliases(spec.hostAliases, `${at}.hostAliases`, errors)
  checkClasses(spec, at, errors)
  checkSystem(spec, at, errors)
}

function checkGates(spec: JsonObject, at: string, errors: Errors): void {
  eachItem(spec.readinessGates, `${at}.readinessGates`, ({ conditionType }, path) =>
    say(errors, `${path}.conditionType`, text(conditionType), qualifiedNameErrors(text(conditionType))),
  )
  const names = new Set<string>()
  eachItem(spec.schedulingGates, `${at}.schedulingGates`, (gate, path) => {
    const name = text(gate.name)
    say(errors, path, name, qualifiedNameErrors(name))
    if (names.has(name)) errors.push(fieldError.duplicate(path, name))
    names.add(name)
  })
}

function checkIdentity(spec: JsonObject, at: string, errors: Errors): void {
  for (const field of ['serviceAccountName', 'nodeName'])
    if (text(spec[field]) !== '') say(errors, `${at}.${field}`, spec[field], dnsSubdomainErrors(text(spec[field])))
  const deadline = spec.activeDeadlineSeconds
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2147483647))
    errors.push(fieldError.invalid(`${at}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'))
  for (const field of ['hostname', 'subdomain'])
    if (text(spec[field]) !== '') say(errors, `${at}.${field}`, spec[field], dnsLabelErrors(text(spec[field])))
}

function checkClasses(spec: JsonObject, at: string, errors: Errors): void {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead, os } = spec
  if (text(priorityClassName) !== '')
    say(errors, `${at}.priorityClassName`, priorityClassName, dnsSubdomainErrors(text(priorityClassName)))
  if (runtimeClassName !== undefined)
    say(errors, `${at}.runtimeClassName`, runtimeClassName, dnsSubdomainErrors(text(runtimeClassName)))
  if (preemptionPolicy === '') errors.push(fieldError.required(`${at}.preemptionPolicy`))
  else oneOf(preemptionPolicy, `${at}.preemptionPolicy`, ['PreemptLowerPriority', 'Never'], errors)
  // A real server takes what a pod needs beside its containers for a container's limits.
  if (isObject(overhead)) checkResources({ limits: overhead }, `${at}.overhead`, errors)
  const name = text(objectOf(os).name)
  if (os !== undefined && name === '') errors.push(fieldError.required(`${at}.os.name`))
  else if (os !== undefined) oneOf(name, `${at}.os`, ['linux', 'windows'], errors)
}
