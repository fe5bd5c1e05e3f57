"""Certificates that do not come, as boto3 is told of them; prints what came back, as one JSON object. Whoever reads moves the clock where it is asked to."""

import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

endpoint, key_id, secret = sys.argv[1:4]
config = Config(retries={"max_attempts": 0}, region_name="us-east-1")


def client(service):
    return boto3.client(service, endpoint_url=endpoint, aws_access_key_id=key_id, aws_secret_access_key=secret, config=config)


def advance(seconds):
    print(json.dumps({"advance": seconds}), flush=True)
    sys.stdin.readline()


acm, route53 = client("acm"), client("route53")


def write(zone, name, kind, value):
    records = {"Name": name, "Type": kind, "TTL": 60, "ResourceRecords": [{"Value": value}]}
    changes = {"Changes": [{"Action": "UPSERT", "ResourceRecordSet": records}]}
    route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=changes)
    advance(120)


def requested(name):
    arn = acm.request_certificate(DomainName=name, ValidationMethod="DNS")["CertificateArn"]
    advance(60)
    return arn


def detail(arn):
    advance(5)
    return acm.describe_certificate(CertificateArn=arn)["Certificate"]


def proven(zone, arn):
    record = detail(arn)["DomainValidationOptions"][0]["ResourceRecord"]
    write(zone, record["Name"], record["Type"], record["Value"])
    advance(900)
    return detail(arn)


def waited(arn):
    try:
        acm.get_waiter("certificate_validated").wait(CertificateArn=arn, WaiterConfig={"Delay": 1, "MaxAttempts": 1})
    except WaiterError as error:
        return str(error)
    return "issued"


def codes(call, times):
    found = []
    for _ in range(times):
        try:
            call()
            found.append("ok")
        except ClientError as error:
            found.append([error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]])
    return found


results = {}
zone = route53.create_hosted_zone(Name="example.com", CallerReference="one")["HostedZone"]["Id"]
write(zone, "example.com", "CAA", '0 issue "letsencrypt.org"')
write(zone, "free.example.com", "CAA", '0 issue "amazonaws.com"')

arn = requested("shop.example.com")
refused = proven(zone, arn)
results["another authority alone"] = [refused["Status"], refused["FailureReason"]]
results["and the waiter"] = waited(arn)
arn = requested("shop.free.example.com")
results["Amazon too"] = proven(zone, arn)["Status"]
results["and its waiter"] = waited(arn)

late = requested("late.free.example.com")
advance(72 * 3600 - 600)
results["just before three days"] = detail(late)["Status"]
advance(700)
ended = detail(late)
results["after three days"] = [ended["Status"], ended["DomainValidationOptions"][0]["ValidationStatus"], "FailureReason" in ended]

advance(60)
results["lists at once"] = codes(acm.list_certificates, 2)
advance(1)
results["a second later"] = codes(acm.list_certificates, 1)
results["looks at zones at once"] = codes(lambda: route53.get_hosted_zone(Id=zone), 6)
print(json.dumps(results), flush=True)
