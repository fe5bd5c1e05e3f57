// Jobs and CronJobs: what is filled in, what is refused, what may change later, and what may be said of them.
import { json, type Loose, object, podTemplate } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const jobScripts: readonly Script[] = [
  { id: 'jobs-made', title: 'jobs that are filled in and refused', run: jobsMade },
  { id: 'jobs-changed', title: 'what may change in a job', run: jobsChanged },
  { id: 'jobs-reported', title: 'statuses of a job that are refused', run: jobsReported },
  { id: 'cronjobs-made', title: 'cron jobs that are filled in and refused', run: cronJobsMade },
]

const once = (spec: Loose = {}, metadata: Loose = {}): Loose => podTemplate({ restartPolicy: 'Never', ...spec }, metadata)

const job = (name: string, spec: Loose = {}): Json => object('batch/v1', 'Job', name, { template: once(), ...spec })

const failOn = (rule: Loose): Loose => ({ podFailurePolicy: { rules: [rule] } })

async function jobsMade(s: Session): Promise<void> {
  const labels = { app: 'a' }
  for (const spec of [
    {},
    { template: podTemplate() },
    { template: podTemplate({ restartPolicy: 'Always' }) },
    { template: podTemplate({ restartPolicy: 'OnFailure' }) },
    { parallelism: 0 },
    { parallelism: -1 },
    { completions: -1 },
    { completions: 0, parallelism: 5 },
    { backoffLimit: -1 },
    { activeDeadlineSeconds: 0 },
    { activeDeadlineSeconds: -1 },
    { ttlSecondsAfterFinished: -1 },
    { ttlSecondsAfterFinished: 0 },
    { completionMode: 'Indexed' },
    { completionMode: 'Indexed', completions: 2 },
    { completionMode: 'Odd' },
    { completionMode: 'Indexed', completions: 200_000, parallelism: 200_000 },
    { backoffLimitPerIndex: 1 },
    { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
    { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
    { completionMode: 'Indexed', completions: 3, maxFailedIndexes: 2 },
    { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: -1 },
    { suspend: true },
    { podReplacementPolicy: 'Failed' },
    { podReplacementPolicy: 'Odd' },
    { managedBy: 'example.com/mine' },
    { managedBy: 'mine' },
    { managedBy: '' },
    { manualSelector: true },
    { manualSelector: true, selector: { matchLabels: labels } },
    { manualSelector: true, selector: { matchLabels: labels }, template: once({}, { labels }) },
    { selector: { matchLabels: labels } },
    { selector: { matchLabels: labels }, template: once({}, { labels }) },
    { template: once({}, { labels: { 'job-name': 'other' } }) },
    { template: once({}, { labels: { 'controller-uid': 'other' } }) },
    { template: { spec: {} } },
    { template: {} },
    { template: null },
    { successPolicy: { rules: [{ succeededCount: 1 }] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededCount: 1 }] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{}] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '0-9' }] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '1,0' }] } },
    { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: 'x' }] } },
    failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } }),
    failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }),
    failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 1] } }),
    failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }),
    failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [] } }),
    failOn({ action: 'FailJob', onExitCodes: { operator: 'Odd', values: [1] } }),
    failOn({ action: 'FailJob', onExitCodes: { containerName: 'other', operator: 'In', values: [1] } }),
    failOn({ action: 'FailJob' }),
    failOn({ action: 'Odd', onExitCodes: { operator: 'In', values: [1] } }),
    failOn({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
    failOn({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
    failOn({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'Odd' }] }),
    failOn({ action: 'Ignore', onPodConditions: [] }),
    failOn({
      action: 'Count',
      onPodConditions: [{ type: 'A', status: 'True' }],
      onExitCodes: { operator: 'NotIn', values: [1] },
    }),
    {
      ...failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }),
      podReplacementPolicy: 'TerminatingOrFailed',
    },
    {
      ...failOn({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }),
      template: podTemplate({ restartPolicy: 'OnFailure' }),
    },
    { podFailurePolicy: { rules: [] } },
  ])
    await s.post(`${s.path('jobs.batch/v1')}?dryRun=All`, job('j', spec))
  await s.post(`${s.path('jobs.batch/v1')}?dryRun=All`, job('a'.repeat(64)))
  await s.post(`${s.path('jobs.batch/v1')}?dryRun=All`, job('a.b', { completionMode: 'Indexed', completions: 1 }))
}

async function jobsChanged(s: Session): Promise<void> {
  const jobs = s.path('jobs.batch/v1')
  await s.post(jobs, job('j', { completions: 3 }))
  await s.post(jobs, job('i', { completionMode: 'Indexed', completions: 3, parallelism: 3 }))
  await s.post(jobs, job('s', { suspend: true }))
  const change = (name: string, spec: Loose): Promise<unknown> => s.patch(`${jobs}/${name}?dryRun=All`, 'merge', json({ spec }))
  for (const spec of [
    { parallelism: 2 },
    { parallelism: -1 },
    { completions: 4 },
    { backoffLimit: 1 },
    { activeDeadlineSeconds: 5 },
    { ttlSecondsAfterFinished: 5 },
    { suspend: true },
    { completionMode: 'Indexed' },
    { podReplacementPolicy: 'Failed' },
    { managedBy: 'example.com/x' },
    { manualSelector: true },
    { selector: null },
    { backoffLimitPerIndex: 1 },
  ])
    await change('j', spec)
  for (const spec of [
    { completions: 5, parallelism: 5 },
    { completions: 5 },
    { completions: 2, parallelism: 2 },
    { completions: null },
  ])
    await change('i', spec)
  for (const template of [
    { spec: { nodeSelector: { a: 'b' } } },
    { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } },
    { metadata: { labels: { a: 'b' } } },
    { metadata: { annotations: { a: 'b' } } },
    { spec: { schedulingGates: [{ name: 'a' }] } },
  ])
    await change('s', { template })
  await s.delete(`${jobs}/j?propagationPolicy=Orphan&dryRun=All`)
  await s.delete(`${jobs}/j`)
  await s.get(`${jobs}/j`)
  await s.delete(`${jobs}/i`, json({ propagationPolicy: 'Background' }))
  await s.get(`${jobs}/i`)
}

async function jobsReported(s: Session): Promise<void> {
  const jobs = s.path('jobs.batch/v1')
  await s.post(jobs, job('j', { completionMode: 'Indexed', completions: 3 }))
  const time = '2020-01-01T00:00:00Z'
  const condition = (type: string, status = 'True'): Loose => ({ type, status, lastProbeTime: time, lastTransitionTime: time })
  for (const status of [
    { active: 1 },
    { active: -1 },
    { active: 4 },
    { ready: 2, active: 1 },
    { succeeded: 4 },
    { completedIndexes: '0,2', succeeded: 2 },
    { completedIndexes: '2,0', succeeded: 2 },
    { completedIndexes: '0-9', succeeded: 10 },
    { completedIndexes: '0', succeeded: 2 },
    { failedIndexes: '0' },
    { completedIndexes: 'x' },
    { startTime: time },
    { completionTime: time },
    { startTime: time, completionTime: '2019-01-01T00:00:00Z' },
    { conditions: [condition('Complete')] },
    { conditions: [condition('Complete'), condition('Failed')] },
    { conditions: [condition('Failed')] },
    { startTime: time, conditions: [condition('FailureTarget'), condition('Failed')] },
    {
      startTime: time,
      completionTime: time,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      completedIndexes: '0-2',
      succeeded: 3,
    },
    { startTime: time, conditions: [condition('FailureTarget'), condition('Failed')], active: 1 },
    { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } },
    { uncountedTerminatedPods: { succeeded: [''] } },
    { terminating: -1 },
  ])
    await s.patch(`${jobs}/j/status?dryRun=All`, 'merge', json({ status }))
}

const cron = (spec: Loose = {}): Json =>
  object('batch/v1', 'CronJob', 'c', { schedule: '*/5 * * * *', jobTemplate: { spec: { template: once() } }, ...spec })

async function cronJobsMade(s: Session): Promise<void> {
  const crons = s.path('cronjobs.batch/v1')
  for (const spec of [
    {},
    { schedule: '' },
    { schedule: null },
    { schedule: '* * * *' },
    { schedule: '@hourly' },
    { schedule: '@every 5m' },
    { schedule: '@odd' },
    { schedule: '60 * * * *' },
    { schedule: '* 24 * * *' },
    { schedule: '* * 0 * *' },
    { schedule: '* * * JAN MON-FRI' },
    { schedule: '* * * 13 *' },
    { schedule: '* * * * 8' },
    { schedule: '*/0 * * * *' },
    { schedule: '5-1 * * * *' },
    { schedule: '0 0 31 2 *' },
    { schedule: 'TZ=Europe/Berlin 0 0 * * *' },
    { schedule: 'CRON_TZ=UTC 0 0 * * *' },
    { schedule: 'TZ=Europe/Berlin 0 0 * * *', timeZone: 'UTC' },
    { timeZone: 'Europe/Berlin' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '' },
    { timeZone: 'Local' },
    { timeZone: ' Europe/Berlin' },
    { concurrencyPolicy: 'Forbid' },
    { concurrencyPolicy: 'Odd' },
    { startingDeadlineSeconds: -1 },
    { successfulJobsHistoryLimit: -1 },
    { failedJobsHistoryLimit: -1 },
    { suspend: true, successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
    { jobTemplate: { spec: { template: podTemplate() } } },
    { jobTemplate: { spec: { template: once(), manualSelector: true } } },
    { jobTemplate: { spec: { template: once(), selector: { matchLabels: { a: 'b' } } } } },
    { jobTemplate: { spec: { template: once(), backoffLimit: -1 } } },
    { jobTemplate: {} },
    { jobTemplate: null },
  ])
    await s.post(`${crons}?dryRun=All`, cron(spec))
  const long = cron() as { metadata: object }
  await s.post(`${crons}?dryRun=All`, json({ ...long, metadata: { name: 'a'.repeat(53) } }))
  await s.post(crons, cron())
  for (const spec of [
    { suspend: true },
    { schedule: '1 1 1 1 1' },
    { schedule: 'TZ=UTC 1 1 1 1 1' },
    { timeZone: 'Etc/UTC' },
    { jobTemplate: { spec: { completions: 2 } } },
  ])
    await s.patch(`${crons}/c?dryRun=All`, 'merge', json({ spec }))
  await s.patch(
    `${crons}/c/status`,
    'merge',
    json({ status: { lastScheduleTime: '2020-01-01T00:00:00Z', active: [{ name: 'j' }] } }),
  )
}
