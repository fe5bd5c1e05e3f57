// The validating webhook of the resource kinds: how it is served, and what the API server is told of it.
import type { KubeObject } from '#kube'
import {
  type AdmissionPlace,
  admissionHandler,
  notOurUpdates,
  renderValidatingConfiguration,
  type WebhookHandler,
} from '#runtime'
import { annotations } from '../api.ts'
import { chooseKinds } from '../create-operator.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { ResourcesOptions } from '../options.ts'
import { admit, type ManifestChecks } from './admit.ts'
import { admitMarks } from './marks.ts'

const path = '/validate-services-k8s-aws'
const marksPath = '/marks-services-k8s-aws'

type Chosen = Pick<ResourcesOptions, 'services' | 'kinds'>

/** By path. */
export function resourceWebhooks(chosen: Chosen, mode: ManifestChecks): Readonly<Record<string, WebhookHandler>> {
  const { kinds } = chooseKinds(chosen)
  return {
    [path]: admissionHandler(request => admit(request, kinds, mode)),
    [marksPath]: admissionHandler(request => admitMarks(request, kinds)),
  }
}

/**
 * Deletions of what is protected, and of nothing else, need an answer; values do not: while nobody answers, manifests are taken as they
 * are, AWS says what it thinks of them, and the controller believes no mark that somebody else wrote.
 */
export function resourceValidatingConfiguration(
  chosen: Chosen,
  place: AdmissionPlace,
): KubeObject & { readonly webhooks: readonly unknown[] } {
  const { kinds } = chooseKinds(chosen)
  const held = 'oldObject.metadata.annotations'
  const key = `'${annotations.deletionProtection}'`
  const isProtected = `has(${held}) && ${key} in ${held} && ${held}[${key}].lowerAscii() == 'true'`
  return renderValidatingConfiguration(place, [
    {
      name: 'protected.services.k8s.aws',
      path,
      rules: rulesOf(kinds, ['DELETE']),
      failurePolicy: 'Fail',
      matchConditions: [{ name: 'protected', expression: isProtected }],
    },
    {
      name: 'values.services.k8s.aws',
      path,
      rules: rulesOf(kinds, ['CREATE', 'UPDATE']),
      failurePolicy: 'Ignore',
      ...(place.operatorUser === undefined ? {} : { matchConditions: [notOurUpdates(place.operatorUser)] }),
    },
    ...(place.operatorUser === undefined
      ? []
      : [
          {
            name: 'marks.services.k8s.aws',
            path: marksPath,
            rules: rulesOf(kinds, ['CREATE', 'UPDATE']),
            failurePolicy: 'Ignore' as const,
            matchConditions: [
              { name: 'not-the-operator-itself', expression: `request.userInfo.username != '${place.operatorUser}'` },
            ],
          },
        ]),
  ])
}

type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  readonly operations: readonly Operation[]
  readonly resources: readonly string[]
}

function rulesOf(kinds: readonly KindModel[], operations: readonly Operation[]): readonly Rule[] {
  const byVersion = new Map<string, KindModel[]>()
  for (const model of kinds) {
    const key = `${model.type.group}/${model.type.version}`
    byVersion.set(key, [...(byVersion.get(key) ?? []), model])
  }
  return [...byVersion.values()].map(models => ({
    apiGroups: models.slice(0, 1).map(({ type }) => type.group),
    apiVersions: models.slice(0, 1).map(({ type }) => type.version),
    operations,
    resources: models.map(({ type }) => type.plural).sort(),
  }))
}
