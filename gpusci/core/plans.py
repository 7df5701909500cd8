"""Plans of calls: what follows from shapes, strides and dtypes is worked out once and kept for the next call that is alike."""

__all__ = ["keep"]

MOST = 4096  # plans of a kind: some hundred bytes each, more than a program in steady state has


def keep(plans, key, plan):
    """Put a plan into the dict that holds its kind, for the next call with this key; where there are too many all go. Returns it.

    Look-ups are the dict's own, since every call makes one. A plan must not hold the arrays it was made for.
    """
    if len(plans) >= MOST:
        plans.clear()
    plans[key] = plan
    return plan
