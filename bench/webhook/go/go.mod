module vouch.example/plain-webhook

go 1.21
