from .opening import open_store as open_store
from .opening import read_now as read_now
from .tenant import StorePlace as StorePlace
from .tenant import Tenant as Tenant
from .tenant import store_file as store_file
