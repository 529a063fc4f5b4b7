module wallet

go 1.19

require rgssignature v0.0.0

replace rgssignature => ../../signing/go
