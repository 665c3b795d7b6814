namespace threefold::cuda {}
