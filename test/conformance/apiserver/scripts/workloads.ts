// StatefulSets, DaemonSets and disruption budgets: what is filled in, what is refused, and what may change later.
import { json, type Loose, object, podTemplate } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const workloadScripts: readonly Script[] = [
  { id: 'statefulsets-made', title: 'stateful sets that are filled in and refused', run: statefulSetsMade },
  { id: 'statefulsets-changed', title: 'what may change in a stateful set', run: statefulSetsChanged },
  { id: 'daemonsets-made', title: 'daemon sets that are filled in, refused and changed', run: daemonSetsMade },
  { id: 'budgets-made', title: 'disruption budgets that are filled in, refused and reported', run: budgetsMade },
]

const main = { name: 'main', image: 'example.com/app:1' }

const labels = { app: 'a' }
const stateful = (spec: Loose = {}): Json =>
  object('apps/v1', 'StatefulSet', 's', {
    serviceName: 's',
    selector: { matchLabels: labels },
    template: podTemplate({}, { labels }),
    ...spec,
  })
const claim = (
  name: string,
  spec: Loose = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
): Loose => ({
  metadata: { name },
  spec,
})

async function statefulSetsMade(s: Session): Promise<void> {
  for (const spec of [
    {},
    { serviceName: null },
    { serviceName: 'Bad_Name' },
    { replicas: -1 },
    { replicas: 0 },
    { selector: null },
    { selector: {} },
    { selector: { matchLabels: { app: 'b' } } },
    { podManagementPolicy: 'Parallel' },
    { podManagementPolicy: 'Odd' },
    { podManagementPolicy: '' },
    { updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    { updateStrategy: { type: 'Odd' } },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } },
    { updateStrategy: { rollingUpdate: { partition: 2 } } },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} } },
    { minReadySeconds: -1 },
    { revisionHistoryLimit: -1 },
    { ordinals: { start: 3 } },
    { ordinals: { start: -1 } },
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } },
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Odd', whenScaled: 'Odd' } },
    { persistentVolumeClaimRetentionPolicy: {} },
    { template: podTemplate({ restartPolicy: 'Never' }, { labels }) },
    { template: podTemplate({ activeDeadlineSeconds: 5 }, { labels }) },
    { template: podTemplate({}, {}) },
    { volumeClaimTemplates: [claim('data')] },
    { volumeClaimTemplates: [claim('data'), claim('data')] },
    { volumeClaimTemplates: [claim('Bad_Name')] },
    { volumeClaimTemplates: [claim('data', {})] },
    { volumeClaimTemplates: [{}] },
    {
      volumeClaimTemplates: [claim('data')],
      template: podTemplate({ containers: [{ ...main, volumeMounts: [{ name: 'data', mountPath: '/d' }] }] }, { labels }),
    },
    { template: podTemplate({ containers: [{ ...main, volumeMounts: [{ name: 'data', mountPath: '/d' }] }] }, { labels }) },
  ])
    await s.post(`${s.path('statefulsets.apps/v1')}?dryRun=All`, stateful(spec))
}

async function statefulSetsChanged(s: Session): Promise<void> {
  const sets = s.path('statefulsets.apps/v1')
  await s.post(sets, stateful({ volumeClaimTemplates: [claim('data')] }))
  for (const spec of [
    { replicas: 3 },
    { replicas: -3 },
    { serviceName: 'other' },
    { podManagementPolicy: 'Parallel' },
    { selector: { matchLabels: { app: 'b' } } },
    { minReadySeconds: 4 },
    { revisionHistoryLimit: 4 },
    { ordinals: { start: 4 } },
    { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } },
    { volumeClaimTemplates: [claim('other')] },
    { volumeClaimTemplates: [] },
    { updateStrategy: { type: 'OnDelete', rollingUpdate: null } },
    { template: { spec: { nodeName: 'n' } } },
    { template: { metadata: { labels: null } } },
  ])
    await s.patch(`${sets}/s?dryRun=All`, 'merge', json({ spec }))
  for (const spec of [{ replicas: 2 }, { replicas: -1 }, {}]) await s.patch(`${sets}/s/scale`, 'merge', json({ spec }))
  for (const status of [
    { replicas: 2, readyReplicas: 3 },
    { replicas: -1 },
    { replicas: 2, readyReplicas: 1, currentReplicas: 3 },
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    { replicas: 2, readyReplicas: 2, availableReplicas: 2, currentRevision: 'a', collisionCount: -1 },
    { observedGeneration: -1 },
    { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 },
  ])
    await s.patch(`${sets}/s/status?dryRun=All`, 'merge', json({ status }))
}

const daemon = (spec: Loose = {}): Json =>
  object('apps/v1', 'DaemonSet', 'd', { selector: { matchLabels: labels }, template: podTemplate({}, { labels }), ...spec })

async function daemonSetsMade(s: Session): Promise<void> {
  const sets = s.path('daemonsets.apps/v1')
  const rolling = (rollingUpdate: Loose): Loose => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } })
  for (const spec of [
    {},
    { selector: null },
    { selector: {} },
    { selector: { matchLabels: { app: 'b' } } },
    { updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { type: 'Odd' } },
    rolling({ maxUnavailable: 0 }),
    rolling({ maxUnavailable: 0, maxSurge: 1 }),
    rolling({ maxUnavailable: 1, maxSurge: 1 }),
    rolling({ maxSurge: '10%', maxUnavailable: 0 }),
    rolling({ maxUnavailable: '110%' }),
    rolling({ maxUnavailable: 'x' }),
    rolling({ maxUnavailable: -1 }),
    rolling({}),
    { minReadySeconds: -1 },
    { revisionHistoryLimit: -1 },
    { template: podTemplate({ restartPolicy: 'OnFailure' }, { labels }) },
    { template: podTemplate({ activeDeadlineSeconds: 5 }, { labels }) },
    { replicas: 1 },
  ])
    await s.post(`${sets}?dryRun=All`, daemon(spec))
}

async function budgetsMade(s: Session): Promise<void> {
  const budgets = s.path('poddisruptionbudgets.policy/v1')
  const budget = (spec: unknown): Json => object('policy/v1', 'PodDisruptionBudget', 'b', spec)
  const selector = { matchLabels: labels }
  for (const spec of [
    { selector, minAvailable: 1 },
    { selector, maxUnavailable: '50%' },
    { selector, minAvailable: 1, maxUnavailable: 1 },
    { selector, minAvailable: '101%' },
    { selector, minAvailable: -1 },
    { selector, minAvailable: 'x' },
    { selector, maxUnavailable: -1 },
    { selector },
    {},
    { selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } },
    { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    { selector: { matchLabels: { 'bad key': 'x' } } },
    { selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    { selector, unhealthyPodEvictionPolicy: 'Odd' },
  ])
    await s.post(`${budgets}?dryRun=All`, budget(spec))
  await s.post(budgets, budget({ selector, minAvailable: 1 }))
  for (const status of [
    { disruptionsAllowed: -1 },
    { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    { expectedPods: -1 },
  ])
    await s.patch(`${budgets}/b/status?dryRun=All`, 'merge', json({ status }))
  await s.patch(`${budgets}/b?dryRun=All`, 'merge', json({ spec: { minAvailable: 2 } }))
  await s.patch(`${budgets}/b?dryRun=All`, 'strategic', json({ spec: { selector: { matchLabels: { more: 'x' } } } }))
}
