// Where pods want to run.
import type { FormShape } from './form.ts'

const requirements: FormShape = { Key: ['key', ''], Operator: ['operator', ''], Values: ['values', null] }

export const nodeTerm: FormShape = {
  MatchExpressions: ['matchExpressions', null, requirements],
  MatchFields: ['matchFields', null, requirements],
}

const podTerm: FormShape = {
  LabelSelector: ['labelSelector', null, 'selector'],
  Namespaces: ['namespaces', null],
  TopologyKey: ['topologyKey', ''],
  NamespaceSelector: ['namespaceSelector', null, 'selector'],
  MatchLabelKeys: ['matchLabelKeys', null],
  MismatchLabelKeys: ['mismatchLabelKeys', null],
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

const nearPods: FormShape = {
  RequiredDuringSchedulingIgnoredDuringExecution: [required, null, podTerm],
  PreferredDuringSchedulingIgnoredDuringExecution: [
    preferred,
    null,
    { Weight: ['weight', 0], PodAffinityTerm: ['podAffinityTerm', {}, podTerm] },
  ],
}

/** Whoever fits one of the terms. */
export const nodes: FormShape = { NodeSelectorTerms: ['nodeSelectorTerms', null, nodeTerm] }

export const affinity: FormShape = {
  NodeAffinity: [
    'nodeAffinity',
    null,
    {
      RequiredDuringSchedulingIgnoredDuringExecution: [required, null, nodes],
      PreferredDuringSchedulingIgnoredDuringExecution: [
        preferred,
        null,
        { Weight: ['weight', 0], Preference: ['preference', {}, nodeTerm] },
      ],
    },
  ],
  PodAffinity: ['podAffinity', null, nearPods],
  PodAntiAffinity: ['podAntiAffinity', null, nearPods],
}

export const toleration: FormShape = {
  Key: ['key', ''],
  Operator: ['operator', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TolerationSeconds: ['tolerationSeconds', null],
}

export const spread: FormShape = {
  MaxSkew: ['maxSkew', 0],
  TopologyKey: ['topologyKey', ''],
  WhenUnsatisfiable: ['whenUnsatisfiable', ''],
  LabelSelector: ['labelSelector', null, 'selector'],
  MinDomains: ['minDomains', null],
  NodeAffinityPolicy: ['nodeAffinityPolicy', null],
  NodeTaintsPolicy: ['nodeTaintsPolicy', null],
  MatchLabelKeys: ['matchLabelKeys', null],
}
