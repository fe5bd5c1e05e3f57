import type { KindCase } from '../case.ts'

const arn = '{status.ackResourceMetadata.arn}'

export const backupCases: readonly KindCase[] = [
  {
    service: 'dynamodb',
    kind: 'Backup',
    needs: [
      [
        'dynamodb',
        'CreateTable',
        {
          TableName: 'things',
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        },
      ],
    ],
    spec: { backupName: 'kept', tableName: 'things' },
    made: {
      operation: 'DescribeBackup',
      input: { BackupArn: arn },
      says: { BackupDescription: { BackupDetails: { BackupName: 'kept' } } },
    },
    gone: { operation: 'DescribeBackup', input: { BackupArn: arn }, says: { error: /BackupNotFound/ } },
  },
]
