// Quantities as people write them, and as they come back.
import { pod } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'

export const amountScripts: readonly Script[] = [
  {
    id: 'amounts-of-resources',
    title: 'amounts in the lists of resources, which are finer than a thousandth nowhere',
    run: resources,
  },
  { id: 'amounts-alone', title: 'amounts in fields of their own', run: alone },
  { id: 'amounts-patched', title: 'amounts that say the same in another way', run: patched },
]

const texts: readonly string[] = (
  '0 -0 +1 00.50 0.5 .5 5. 1000m 1500m 1024Mi 1.5Gi 0.1Gi 0.5Mi 2048 1000k 1e-3 12e6 1e2 1E2 1.5e3 1000000n 1n 1u 100u 1.0001 1000Ki ' +
  '1Ei 16Ei 9223372036854775807 9223372036854775808 1.123456789 1.1234567891 123456789.123456789 1000000000000000000 10P 10000P 1e19 ' +
  '1e-9 1e-10 1.5E 0Ki 0.0'
).split(' ')

async function resources(s: Session): Promise<void> {
  for (const text of texts)
    await s.send('POST', `${s.path('resourcequotas')}?dryRun=All`, {
      body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': text } } },
    })
}

async function alone(s: Session): Promise<void> {
  for (const text of texts)
    await s.send('POST', `${s.path('pods')}?dryRun=All`, {
      body: pod('p', { volumes: [{ name: 'v', emptyDir: { sizeLimit: text } }] }),
    })
}

async function patched(s: Session): Promise<void> {
  await s.post(s.path('resourcequotas'), {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { 'requests.cpu': '1000m', 'requests.memory': '1024Mi', pods: '1e1' } },
  })
  const path = s.path('resourcequotas', 'q')
  for (const hard of [{ 'requests.cpu': '1' }, { 'requests.memory': '1Gi' }, { pods: '10' }, { 'requests.cpu': '1.0' }])
    await s.patch(path, 'merge', { spec: { hard } })
  for (const [manager, cpu] of [
    ['a', '1'],
    ['b', '1000m'],
    ['b', '1.0'],
    ['b', '2'],
  ] as const)
    await s.send('PATCH', `${path}?fieldManager=${manager}`, {
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': cpu } } },
    })
  await s.get(path)
}
