// Admission policies in less usual forms: chosen parameters, conditions that fail, several bindings, what is audited.
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import { type Policy, refusePolicies, tryPolicy } from './policies.ts'

const policies: Readonly<Record<string, Policy>> = {
  'selected-parameters': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        { expression: 'size(object.data) <= int(params.data.max)', messageExpression: "'at most ' + params.data.max" },
      ],
    },
    binding: {
      paramRef: {
        selector: { matchExpressions: [{ key: 'unlimited', operator: 'DoesNotExist' }] },
        parameterNotFoundAction: 'Allow',
      },
    },
    refused: { a: '1', b: '2', c: '3' },
    tried: [{ a: '1' }],
  },
  'parameters-of-another-shape': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: "params.data.nothing == 'x' || object.data.a == 'y'" }],
    },
    binding: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    refused: { a: '1' },
    tried: [{ a: 'y' }],
  },
  'conditions-that-fail': {
    spec: {
      matchConditions: [{ name: 'has-kind', expression: "object.data.kind == 'x'" }],
      validations: [{ expression: 'false', message: 'never' }],
    },
    refused: { kind: 'x' },
    tried: [{ a: '1' }, { kind: 'y' }],
  },
  'conditions-that-fail-and-are-ignored': {
    spec: {
      failurePolicy: 'Ignore',
      matchConditions: [
        { name: 'has-kind', expression: "object.data.kind == 'x'" },
        { name: 'never-b', expression: "!('b' in object.data)" },
      ],
      validations: [{ expression: 'false', message: 'never' }],
    },
    refused: { kind: 'x' },
    tried: [{ a: '1' }, { a: '1', b: '1' }, { kind: 'x', b: '1' }],
  },
  audited: {
    spec: {
      auditAnnotations: [
        { key: 'count', valueExpression: 'string(size(object.data))' },
        { key: 'broken', valueExpression: 'string(object.data.nothing)' },
      ],
      validations: [{ expression: '!has(object.data.bad)' }],
    },
    refused: { bad: '1', nothing: 'x' },
    tried: [{ a: '1' }, { nothing: 'x' }],
  },
  'messages-that-are-too-much': {
    spec: {
      validations: [
        { expression: "object.data.a != '1'", messageExpression: "'  '", message: 'blank' },
        { expression: "object.data.a != '2'", messageExpression: "'two\\nlines'", message: 'lines' },
        { expression: "object.data.a != '3'", messageExpression: "object.data.a + '-' + request.name" },
        { expression: "object.data.a != '4'", message: 'four', reason: 'Invalid' },
      ],
    },
    refused: { a: '1' },
    tried: [{ a: '2' }, { a: '3' }, { a: '4' }, { a: '5' }],
  },
}

const validations = [{ expression: 'true' }]
const impossible = [
  { auditAnnotations: [{ key: 'a', valueExpression: 'object.data.nothing' }] },
  { auditAnnotations: [{ key: '', valueExpression: "'x'" }] },
  { auditAnnotations: [{ key: 'a b', valueExpression: "'x'" }] },
  { auditAnnotations: [{ key: 'a', valueExpression: '' }] },
  { auditAnnotations: ['a', 'a'].map(key => ({ key, valueExpression: "'x'" })) },
  { auditAnnotations: [{ key: 'a', valueExpression: "object.metadata.name + '" }] },
  { validations: [{ expression: 'true', message: 'two\nlines' }] },
  { validations: [{ expression: 'true', message: ' ' }] },
  { validations: [{ expression: 'true', messageExpression: ' ' }] },
  { validations: [{ expression: 'true', reason: 'Unauthorized' }] },
  { validations: [{ expression: 'object' }] },
  { validations: [{ expression: 'object.metadata.name' }] },
  { validations, matchConditions: [{ name: '', expression: 'true' }] },
  { validations, matchConditions: [{ name: 'a b', expression: 'true' }] },
  { validations, matchConditions: ['a', 'a'].map(name => ({ name, expression: 'true' })) },
  { validations, matchConditions: [{ name: 'a', expression: '' }] },
  { validations, matchConditions: [{ name: 'a', expression: 'variables.x' }] },
  { validations, variables: [{ name: 'a', expression: '' }] },
  { validations, variables: ['a', 'a'].map(name => ({ name, expression: '1' })) },
  { validations, variables: [{ name: 'a', expression: 'variables.a' }] },
  { validations, paramKind: { apiVersion: 'v1', kind: '' } },
  { validations, paramKind: { apiVersion: 'a/b/c', kind: 'X' } },
  { validations, paramKind: { apiVersion: 'nobody.example.com/v1', kind: 'X' } },
]

export const policyEdgeScripts: readonly Script[] = [
  ...Object.entries(policies).map(([name, policy]) => ({
    id: `policy-${name}`,
    title: `an admission policy: ${name}`,
    run: (s: Session) => tryPolicy(s, policy),
  })),
  { id: 'policy-impossible', title: 'more admission policies that cannot be', run: s => refusePolicies(s, impossible) },
]
