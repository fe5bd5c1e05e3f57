import { containing, type KindCase } from '../case.ts'

const keyOf = { KeyId: '{needed.0.KeyMetadata.KeyId}' }

export const keyCases: readonly KindCase[] = [
  {
    service: 'kms',
    kind: 'Alias',
    needs: [
      ['kms', 'CreateKey', {}],
      ['kms', 'CreateKey', {}],
    ],
    spec: { name: 'alias/seals', targetKeyID: '{needed.0.KeyMetadata.KeyId}' },
    made: { operation: 'ListAliases', input: keyOf, says: { Aliases: containing({ AliasName: 'alias/seals' }) } },
    changes: [
      {
        name: 'targetKeyID',
        spec: { targetKeyID: '{needed.1.KeyMetadata.KeyId}' },
        probe: {
          operation: 'ListAliases',
          input: { KeyId: '{needed.1.KeyMetadata.KeyId}' },
          says: { Aliases: containing({ AliasName: 'alias/seals' }) },
        },
        drift: {
          operation: 'UpdateAlias',
          input: { AliasName: 'alias/seals', TargetKeyId: '{needed.0.KeyMetadata.KeyId}' },
        },
      },
    ],
    gone: { operation: 'DescribeKey', input: { KeyId: 'alias/seals' }, says: { error: 'NotFoundException' } },
  },
  {
    service: 'kms',
    kind: 'Grant',
    needs: [['kms', 'CreateKey', {}]],
    spec: {
      keyID: '{needed.0.KeyMetadata.KeyId}',
      granteePrincipal: 'arn:aws:iam::123456789012:role/reader',
      operations: ['Decrypt'],
    },
    made: { operation: 'ListGrants', input: keyOf, says: { Grants: containing({ Operations: ['Decrypt'] }) } },
    gone: { operation: 'ListGrants', input: keyOf, says: { Grants: [] } },
  },
]
