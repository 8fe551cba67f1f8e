from .opening import open_store as open_store
from .tenant import Tenant as Tenant
from .tenant import store_file as store_file
