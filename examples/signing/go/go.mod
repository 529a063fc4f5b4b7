module rgssignature

go 1.19
