"""Logistic regression with an L2 penalty, for the weights of recall."""

from __future__ import annotations

from typing import Any

import numpy as np

_STEPS, _NEAR = 30, 1e-6


def newton(x: Any, y: Any, shares: Any, penalties: Any) -> Any:
    """Return the weights of the columns of `x`, (n, columns), by Newton's method.

    `y`: 1 or 0 for each row, `shares`: how much each row counts; `penalties`: of each column.
    """
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (shares * (y - p)) - penalties * weights
        curve = (x.T * (shares * p * (1 - p))) @ x + np.diag(penalties)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < _NEAR:
            break
    return weights
