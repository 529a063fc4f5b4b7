import express from 'express';
import { createOperatorRouter, createServer } from 'rgs-wallet-kit';
import { playWallet } from './wallet.mjs';

playWallet((options) => createServer(express().use(createOperatorRouter(options))));
