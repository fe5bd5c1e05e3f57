// Numbers with a fraction or an exponent wherever a body may hold one, and keys that stand twice beside fields that nobody knows.
import { deployment, widget, widgets } from '../fixtures.ts'
import type { Script } from '../record.ts'
import { patchTypes, type Session } from '../session.ts'

export const numberScripts: readonly Script[] = [
  { id: 'numbers-fields', title: 'numbers in other forms, in fields of each kind', run: fields },
  { id: 'numbers-custom', title: 'numbers in other forms, in custom resources and their definitions', run: custom },
  { id: 'numbers-patched', title: 'numbers in other forms that a patch tests, copies and moves', run: patched },
  { id: 'numbers-options', title: 'numbers in other forms, in options and subresources', run: options },
  { id: 'twice-placed', title: 'keys that stand twice, before and after fields that nobody knows', run: placed },
  { id: 'twice-touched', title: 'values with keys that stand twice, which later operations go into', run: touched },
]

const pod = (container: string): string =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i",${container}}]}}`

async function fields(s: Session): Promise<void> {
  const post = (resource: string, raw: string): Promise<unknown> => s.send('POST', `${s.path(resource)}?dryRun=All`, { raw })
  for (const form of ['80.0', '8e1', '80.5', '1E400'])
    await post(
      'services',
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"clusterIP":"None","ports":[{"port":80,"targetPort":${form}}]}}`,
    )
  for (const form of ['1.0', '1.50', '1e3', '1E3', '15e-1', '1e400', '0.0000000001', '-1.5', '100000000000000000000'])
    await post('pods', pod(`"resources":{"limits":{"cpu":${form}}}`))
  for (const body of [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":2.0}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":1.5}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{"a":1.0}}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":1e0}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"immutable":1.0}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"binaryData":{"a":1.0}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","creationTimestamp":1.0}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","finalizers":1.0}}',
    '{"apiVersion":"v1","kind":1.0,"metadata":{"name":"c"}}',
    '{"apiVersion":1.0,"kind":"ConfigMap","metadata":{"name":"c"}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"odd":1.0}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"odd":1E400}',
    '{"a":1e999}',
    '1.0',
    '[1.0]',
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"c"},"spec":{"ports":[{"port":80.0}]}}',
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"c"},"spec":{"replicas":1.0}}',
  ])
    await post('configmaps', body)
}

const definition = (schema: string): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"odds.odd.example.com"},"spec":{"group":"odd.example.com","scope":"Namespaced","names":{"plural":"odds","kind":"Odd"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{${schema}}}}}}]}}`

async function custom(s: Session): Promise<void> {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All'
  for (const schema of [
    '"type":"number","multipleOf":1e-1,"maximum":2.50,"default":1.50,"example":{"x":[2.0]}',
    '"type":"number","enum":[1.0,2e0,2.5]',
    '"type":"number","maximum":1E400',
    '"type":"number","default":1E400',
    '"type":"string","maxLength":3.0',
    '"type":"integer","default":3.0',
    '"type":"integer","minimum":1.0,"maximum":1e1',
  ])
    await s.send('POST', crds, { raw: definition(schema) })
  await s.post(widgets(s), widget(s, 'w', { size: 2 }))
  const at = `${widgets(s, 'w')}?dryRun=All`
  for (const form of ['3.0', '3e0', '3.5', '1E400']) {
    const raw = `{"spec":{"size":${form}}}`
    await s.send('PATCH', at, { raw, type: patchTypes.merge })
    await s.send('PATCH', at, { raw: `[{"op":"replace","path":"/spec/size","value":${form}}]`, type: patchTypes.json })
    const whole = `{"apiVersion":"${s.widgetGroup}/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":${form},"any":{"n":${form}}}}`
    await s.send('PATCH', `${at}&fieldManager=m&force=true`, { raw: whole, type: patchTypes.apply })
    await s.send('POST', `${widgets(s)}?dryRun=All`, { raw: whole.replace('"w"', '"new"') })
  }
}

async function patched(s: Session): Promise<void> {
  await s.post(s.path('deployments.apps/v1'), deployment('web', { replicas: 2 }))
  const web = `${s.path('deployments.apps/v1', 'web')}?dryRun=All`
  for (const operations of [
    '[{"op":"test","path":"/spec/replicas","value":2.0}]',
    '[{"op":"test","path":"/spec/replicas","value":2}]',
    '[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"test","path":"/spec/replicas","value":2.0}]',
    '[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"test","path":"/spec/replicas","value":2}]',
    '[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"replace","path":"/spec/replicas","value":3}]',
    '[{"op":"add","path":"/spec/odd","value":2.0},{"op":"copy","from":"/spec/odd","path":"/spec/replicas"}]',
    '[{"op":"add","path":"/spec/odd","value":2.0},{"op":"move","from":"/spec/odd","path":"/spec/minReadySeconds"}]',
    '[{"op":"add","path":"/spec/replicas/x","value":2.0}]',
    '[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"add","path":"/spec/replicas/x","value":1}]',
    '[{"op":"add","path":"/spec/template/spec/containers/0/ports","value":[{"containerPort":80.0}]}]',
    '[{"op":"add","path":"/spec/template/spec/containers/0/resources","value":{"limits":{"cpu":1.50}}}]',
    '[{"op":"replace","path":"","value":2.0}]',
    '[1.0]',
    '[{"op":1.0,"path":"/a"}]',
    '2.0',
  ])
    await s.send('PATCH', web, { raw: operations, type: patchTypes.json })
  for (const merge of [
    '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"i","ports":[{"containerPort":80.0}]}]}}}}',
    '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"i","resources":{"limits":{"cpu":1.50}}}]}}}}',
    '{"metadata":2.0}',
    '{"spec":2.0}',
    '{"metadata":{"annotations":{"a":1.0}}}',
    '{"spec":{"replicas":2.0,"odd":1.0}}',
    '2.0',
  ]) {
    await s.send('PATCH', web, { raw: merge, type: patchTypes.merge })
    await s.send('PATCH', web, { raw: merge, type: patchTypes.strategic })
  }
}

async function options(s: Session): Promise<void> {
  await s.send('POST', s.path('pods'), { raw: pod('"tty":false') })
  const token = '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":3600.0}}'
  await s.send('POST', `${s.path('serviceaccounts', 'default')}/token`, { raw: token })
  for (const form of ['1.0', '1e0', '1E400']) {
    const grace = `{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":${form}}`
    await s.send('DELETE', `${s.path('pods', 'p')}?dryRun=All`, { raw: grace })
    const eviction = `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"},"deleteOptions":{"gracePeriodSeconds":${form}}}`
    await s.send('POST', `${s.path('pods', 'p')}/eviction?dryRun=All`, { raw: eviction })
  }
  await s.send('PATCH', `${s.path('pods', 'p')}/status?dryRun=All`, {
    raw: '{"status":{"observedGeneration":1.0}}',
    type: patchTypes.merge,
  })
}

async function placed(s: Session): Promise<void> {
  await s.send('POST', s.path('configmaps'), { raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}' })
  const start = '"apiVersion":"v1","kind":"ConfigMap"'
  for (const validation of ['Warn', 'Strict'])
    for (const body of [
      `{${start},"odd":1,"metadata":{"name":"n"},"data":{"a":"1","a":"2"}}`,
      `{${start},"metadata":{"name":"n"},"data":{"a":"1","a":"2"},"odd":1}`,
      `{${start},"metadata":{"name":"n","odd":1,"name":"m"},"data":{"a":"1"},"data":{"b":"1"},"more":{"x":1,"x":2},"even":3}`,
      `{${start},"metadata":{"name":"n"},"kind":"ConfigMap","odd":{"x":{"y":1,"y":1}},"odd":2}`,
    ]) {
      await s.send('POST', `${s.path('configmaps')}?dryRun=All&fieldValidation=${validation}`, { raw: body })
      const custom = body.replace('"v1"', `"${s.widgetGroup}/v1"`).replaceAll('ConfigMap', 'Widget').replace('"data"', '"spec"')
      await s.send('POST', `${widgets(s)}?dryRun=All&fieldValidation=${validation}`, { raw: custom })
    }
}

async function touched(s: Session): Promise<void> {
  await s.send('POST', s.path('configmaps'), {
    raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1"}}',
  })
  const twice = '{"x":"1","x":"2"}'
  for (const validation of ['Warn', 'Strict'])
    for (const operations of [
      `[{"op":"add","path":"/data","value":${twice}},{"op":"add","path":"/data/y","value":"3"}]`,
      `[{"op":"add","path":"/data","value":${twice}},{"op":"test","path":"/data/x","value":"2"}]`,
      `[{"op":"add","path":"/data","value":${twice}},{"op":"test","path":"/data","value":{"x":"2"}}]`,
      `[{"op":"add","path":"/data","value":${twice}},{"op":"remove","path":"/data"}]`,
      `[{"op":"add","path":"/data","value":${twice}},{"op":"copy","from":"/data","path":"/metadata/labels"}]`,
      `[{"op":"add","path":"/data","value":${twice}},{"op":"move","from":"/data","path":"/metadata/annotations"}]`,
      `[{"op":"add","path":"/metadata","value":{"name":"c","labels":${twice}}}]`,
      `[{"op":"add","path":"/data","value":{"a":"1"},"value":{ "b" : "1" , "b" : "2" }}]`,
      `[{"op":"test","path":"/data","value":{"a":"0","a":"1"}}]`,
      `[{"op":"add","op":"replace","path":"/data","value":{}}]`,
    ])
      await s.send('PATCH', `${s.path('configmaps', 'c')}?dryRun=All&fieldValidation=${validation}`, {
        raw: operations,
        type: patchTypes.json,
      })
}
